-- metadata: {"n": ["l", "m", "k"]}
create table o as
select [x + m for x in l if x > k] as ys from n;
