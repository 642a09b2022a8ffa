-- metadata: {"s": ["k", "v"], "u": ["k", "w"]}
insert into o1 select $identity, k, user from s;
insert into o2 select k, grouping(k), grouping_id(k), sum(v) from s group by rollup (k);
merge into s using u on s.k = u.k when matched then update set v = default when not matched then insert (k, v) values (u.k, default);
