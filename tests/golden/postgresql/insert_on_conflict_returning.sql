-- metadata: {"z": ["x", "y", "s"], "u": ["id", "c", "s"]}
with n as (
  insert into z as old select id, c, s from u
  on conflict (x) do update set y = excluded.y + old.y where old.s <> 'a'
  returning old.x, old.y, old.s
)
insert into o (x, y, s) select x, y, s from n;
