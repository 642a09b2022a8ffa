-- metadata: {"a": ["k", "v"], "b": ["k", "w"]}
-- Both tables have a k; the one in the select list is meant.
insert into o (k, n)
select a.k, count(*) from a join b on a.k = b.k group by k;
