create function rows_of(in p int) returns table (a int, b int) language sqlscript as
begin
  return select x as a, y as b from t where k = :p;
end;
insert into o (a) select a from rows_of(1);
