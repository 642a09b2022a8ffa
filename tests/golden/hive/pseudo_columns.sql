-- metadata: {"t": ["k", "v"], "u": ["k", "w"]}
-- Of the only table around, or of nobody; GROUPING__ID and DEFAULT are words.
insert into o1 select input__file__name, block__offset__inside__file, k from t;
insert into o2 select k, v, grouping__id, grouping(k), count(*) from t group by k, v with cube;
insert into o3 select t.ROW__ID, u.k from t join u on t.k = u.k;
merge into t using u on t.k = u.k when matched then update set v = default when not matched then insert values (u.k, default);
