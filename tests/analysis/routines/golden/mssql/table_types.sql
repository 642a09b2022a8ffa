create type dbo.order_lines as table (item int not null primary key, qty int);
create type dbo.phone from nvarchar(20) not null;
go
create procedure dbo.add_lines @lines dbo.order_lines readonly, @note nvarchar(50) as
insert into dbo.lines (item_no, quantity) select item, qty from @lines
go
declare @basket dbo.order_lines
insert into @basket select sku, amount from dbo.cart where paid = 1
exec dbo.add_lines @basket, 'web'
go
create procedure dbo.add_all @rows ext.defined_elsewhere readonly as
insert into dbo.everything select * from @rows
go
declare @more ext.defined_elsewhere
insert into @more (k, v) select k, w from dbo.pairs
insert into dbo.copies select * from @more
exec dbo.add_all @rows = @more
