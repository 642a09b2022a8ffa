insert into dbo.a (x) select x from dbo.s where y = 1
update dbo.b set z = 1
delete from dbo.c where w = 2
