create function highest(p int) returns int reads sql data
begin
  declare v int;
  select max(a) into v from t where k = p;
  return v;
end;
insert into o (a) select highest(s.k) from s;
