create procedure dbo.open_orders @day date as
begin
    set nocount on;
    select id, amount as total from dbo.orders where day = @day;
end
go
insert into dbo.snapshot (order_id, order_total) exec dbo.open_orders '2020-01-01';
create table #held (a int, b money);
insert into #held exec dbo.open_orders @day = '2020-01-02';
insert into dbo.held (a, b) select a, b from #held;
insert into dbo.late (x) exec dbo.late_rows;
go
create procedure dbo.late_rows as select note from dbo.notes
go
