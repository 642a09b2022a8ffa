-- metadata: {"s": ["a", "b"]}
insert into o1 select transform (a, b) using 'cat' as x, y, z from s;
insert into o2 select transform (*) using 'cat' from s;
