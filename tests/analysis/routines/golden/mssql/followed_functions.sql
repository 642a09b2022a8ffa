create procedure dbo.fill as
begin
    insert into dbo.report (id, amount, total)
    select f.id, f.amount, dbo.fn_total(c.id)
    from dbo.customers as c
    cross apply dbo.fn_orders_of(c.id) as f;

    insert into dbo.exploded (part, depth) select component, level from dbo.fn_parts(7);
end
go
create function dbo.fn_orders_of (@customer int) returns table as
return (select o.id, o.amount from dbo.orders as o where o.customer_id = @customer);
go
create function dbo.fn_total (@customer int) returns money as
begin
    declare @total money;
    select @total = sum(amount) from dbo.payments where customer_id = @customer;
    return isnull(@total, 0);
end
go
create function dbo.fn_parts (@product int) returns @parts table (component int, level int) as
begin
    insert into @parts (component, level) select part_id, depth from dbo.bom where product_id = @product;
    return;
end
go
insert into dbo.again (part) select p.component from dbo.fn_parts(8) as p
go
