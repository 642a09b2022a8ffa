create table o as
select * from (pivot sales on quarter in ('q1', 'q2') using sum(amount) group by region)
