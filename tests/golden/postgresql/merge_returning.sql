-- metadata: {"z": ["x", "y", "s"], "u": ["id", "c", "s"]}
with n as (
  merge into z using u on z.x = u.id
  when matched then update set y = u.c
  when not matched then insert (x, y) values (u.id, 0)
  returning z.x, z.y, u.s
)
insert into o (x, y, s) select x, y, s from n;
