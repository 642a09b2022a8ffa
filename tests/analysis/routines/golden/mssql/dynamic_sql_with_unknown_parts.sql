create procedure dbo.collect @db sysname, @table sysname, @id int as
begin
    declare @sql nvarchar(max);
    set @sql = N'use ' + quotename(@db) + N'; insert into dbo.sizes (n) select rows from sys.partitions';
    exec (@sql);
    set @sql = N'insert into dbo.copies (a) select a from dbo.' + quotename(@table) + N' where id = ' + cast(@id as varchar(10));
    exec (@sql);
    set @sql = N'insert into dbo.counts (n) select count(*) from ' + quotename(@db) + N'.app.orders';
    exec (@sql);
end
go
