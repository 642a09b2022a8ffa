with function doubled(x integer) returns integer
begin
  declare y integer default 1;
  if x > 0 then return x * 2; end if;
  return y;
end
select doubled(v) as z from t;

create table p as select q from r;
