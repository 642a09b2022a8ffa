create procedure page_orders @filter varchar(2000), @order varchar(2000) as
begin
  create table #page (row int identity, id int)
  declare @sql nvarchar(4000)
  set @sql = 'insert into #page (id)'
  set @sql = @sql + ' select id from dbo.orders'
  if len(@filter) > 0 set @sql = @sql + ' where ' + @filter
  if len(@order) > 0 set @sql = @sql + ' order by ' + @order
  exec sp_executesql @sql
  insert into dbo.shown (id, total) select o.id, o.total from dbo.orders o, #page p where o.id = p.id
  exec ('delete from dbo.monitored ' + @filter + ' and status = ''I''')
  exec ('update dbo.monitored set status = ''N'' ' + @filter + ' or kind = 1')
  exec ('insert into dbo.ranked select id, rank() over (partition by ' + @order + ' order by total) from dbo.orders')
end
