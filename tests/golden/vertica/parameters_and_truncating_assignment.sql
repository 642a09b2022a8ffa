insert into predictions select id, predict_linear_reg(a, b using parameters model_name='m', match_by_pos=true) from observations;
create procedure note () language plvsql as $$
declare
  n int;
begin
  n <- select max(v) from ticks where k = 1;
  insert into ticked (n) values (n);
end;
$$;
