-- metadata: {"z": ["x", "y"], "u": ["id", "c"]}
merge into z using u on z.x = u.id
when matched then update set y = u.c
output inserted.x, inserted.y, deleted.y into log (x, now, before);
