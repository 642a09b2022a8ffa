-- metadata: {"u": ["k", "c", "e"]}
-- Each group is a row, whatever is aggregated beside it: counting the groups depends on the key.
insert into o (n)
select count(*) from (select k, max(c) as top from u group by k) x;

-- What HAVING looks at decides which groups there are.
insert into p (k)
select k from (select k, sum(e) as total from u group by k having sum(e) > 9) x;
