-- metadata: {"s": ["a", "b", "ds", "hr"]}
insert into o1 select `(ds|hr)?+.+` from s;
insert into o2 select `d.*`, a from s;
