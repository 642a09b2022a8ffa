-- metadata: {"s": ["id", "jan", "feb"]}
insert into o
select * from s unpivot (amount for month in (jan, feb)) as u;

insert into p (id)
select id from s unpivot (amount for month in (jan, feb)) as u;
