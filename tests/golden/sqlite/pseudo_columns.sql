-- metadata: {"s": ["k", "v"]}
insert into o1 select rowid, k from s;
