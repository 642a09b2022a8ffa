-- metadata: {"s": ["id", "jan", "feb", "note"]}
insert into o (id)
select id from s unpivot (amount for month in (jan, feb));
