-- metadata: {"s": ["k", "v"], "u": ["k", "w"]}
insert into o1 select ctid, tableoid, k from s;
insert into o2 select s.xmin, w, user from s join u on s.k = u.k;
insert into o3 (a, b) values (default, 1);
update s set v = default;
