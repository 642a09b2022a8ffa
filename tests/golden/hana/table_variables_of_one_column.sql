create procedure p (out ot tt_out) language sqlscript reads sql data with result view rv as
begin
  t1 = select a from t;
  ot = select a from :t1;
  insert into u (b) select a from :ot;
end;

merge delta of t;
load t all;
unload t;
