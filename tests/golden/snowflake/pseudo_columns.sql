-- metadata: {"s": ["K", "V"], "u": ["K", "W"]}
insert into o1 select metadata$action, metadata$row_id, k from s;
insert into o2 select s.metadata$isupdate, u.w from s join u on s.k = u.k;
insert into o3 select grouping(k), grouping_id(k, v), sum(v) from s group by cube (k, v);
