-- metadata: {"p": ["a", "b", "c", "k"], "s": ["k", "z"]}
update p set b = s.z from (values (1, 2)) as v (x, y), s where p.k = s.k and v.y = p.c;
