-- metadata: {"p": ["g", "y", "q", "v"]}
create table o as
select * from p pivot (sum(v) for (y, q) in ((2020, 1) as first, (2021, 2)));
