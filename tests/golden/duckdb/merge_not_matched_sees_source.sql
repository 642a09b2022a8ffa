-- metadata: {"z": ["x", "s"], "u": ["x", "s", "k"]}
-- A row without a match is a row of the source: no other s can be meant.
merge into z using u on z.x = u.x
when not matched and s > 'a' then insert (x, s) values (x, s);
