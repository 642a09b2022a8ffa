-- metadata: {"p": ["g", "y", "v"]}
create table o as
select * from (select g, y, v from p)
pivot (sum(v) as total, count(*) as n for y in (1, -2, 1.5, 'x', date '2024-01-31', 7 as seven));
