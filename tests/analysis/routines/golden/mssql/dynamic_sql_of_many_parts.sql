create procedure dbo.search @a int, @b int, @c int, @d int, @old bit as
begin
    declare @sql nvarchar(max);
    select @sql = N'insert into dbo.found (id) select t.id from dbo.things as t where 1 = 1';
    if @a is not null set @sql += N' and t.a = @a';
    if @b is not null set @sql += N' and t.b = @b';
    if @c is not null set @sql = @sql + N' and t.c = @c';
    if @d is not null set @sql = concat(@sql, N' and t.d = @d');
    exec sp_executesql @sql, N'@a int, @b int', @a = @a, @b = @b;

    set @sql = N'insert into dbo.totals (v) select sum(v) from '
        + quotename('dbo') + N'.' + case when @old = 1 then N'sales_old' else N'sales' end;
    exec (@sql);

    set @sql = replace(N'insert into dbo.copies (a) select a from {schema}.base', N'{schema}', N'src');
    exec (@sql);
end
go
