insert into dbo.archive (a, b)
select d.a, d.b from (delete from dbo.t output deleted.a, deleted.b where c = 1) as d
