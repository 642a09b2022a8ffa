-- metadata: {"s": ["k", "v"]}
insert into o1 (a, b) values (default, 1);
update s set v = default where k = 1;
insert into o2 select k, grouping(k), sum(v) from s group by k with rollup;
