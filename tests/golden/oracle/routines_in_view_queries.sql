create view fv as
with function f (a number) return number is
begin
  return a * 2;
end;
select f(x) y from t;

create view gv as select b from ov;
