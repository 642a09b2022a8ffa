-- metadata: {"z": ["x", "y", "s"], "t": ["a", "b"]}
with n as (
  insert into z (x, y) values (31, (select max(a) from t where b > 1)) returning x, y, s
)
insert into o (x, y, s) select x, y, s from n;
