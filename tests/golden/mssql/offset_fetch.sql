create view v as
select a from dbo.t order by b offset 10 rows fetch next 5 rows only
