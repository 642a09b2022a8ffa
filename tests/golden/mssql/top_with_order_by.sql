insert into dbo.best (name)
select top (10) name from dbo.scores order by points desc
