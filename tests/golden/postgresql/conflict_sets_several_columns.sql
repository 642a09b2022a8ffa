-- metadata: {"z": ["x", "y", "s"]}
insert into z as old select id, c, s from u
on conflict (x) do update set (y, s) = (select max(a), min(b) from t where t.id = excluded.x);
insert into z as old values (1, (select max(m) from w), (select min(n) from w))
on conflict (x) do update set (y, s) = row(old.y + 1, excluded.y)
