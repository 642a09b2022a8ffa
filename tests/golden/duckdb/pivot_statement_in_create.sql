-- metadata: {"p": ["k", "yr", "q1", "q2"]}
create table o as
pivot p on yr in (2000, 2001) using sum(q1) as total, max(q2) as top group by k;
