create table o as
select * from sales pivot(sum(amount) for month in (select m from campaigns where active)) as p;
