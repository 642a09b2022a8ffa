-- metadata: {"p": ["k", "yr", "q1", "q2"]}
create table o as
select * from p pivot (sum(q1) for yr in (2000, 2001) group by k);
