-- metadata: {"s": ["k", "v"]}
insert into o1 select "$path", k from s;
insert into o2 select k, grouping(k), sum(v) from s group by rollup (k);
