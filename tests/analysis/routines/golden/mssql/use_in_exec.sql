use sales
go
create procedure dbo.reindex as
begin
    exec ('use master; insert into dbo.log (a) select name from dbo.names');
    exec sp_executesql N'use msdb; select 1';
    insert into dbo.done (a) select a from dbo.todo;
    exec archive.sys.sp_executesql N'insert into dbo.kept (a) select a from dbo.t';
end
go
insert into dbo.o (a) select a from dbo.t
go
