-- metadata: {"s": ["k", "v"]}
insert into o1 select _part, _path, k from s;
