create view v as
select a.x, b.y from a cross join b
