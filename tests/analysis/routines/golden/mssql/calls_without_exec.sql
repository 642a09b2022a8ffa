create table dbo.stock (item int, amount int)
;
sp_tableoption 'dbo.stock', 'large value types out of row', 'true'
;
insert into dbo.stock (item, amount) select item, qty from dbo.delivery
go
create procedure dbo.close_day @day date as
insert into dbo.days (day, total) select @day, sum(qty) from dbo.sales where day = @day
go
dbo.close_day '2024-01-31'
go
sp_configure 'show advanced options', 1
reconfigure
go
sp_rename 'dbo.stock', 'stock_old'
go
