create procedure sales.refresh_totals @day date as
begin
    declare @limit int;
    select @limit = max(threshold) from sales.settings;
    insert into sales.totals (store, amount) select store, sum(amount) from sales.lines where day = @day group by store;
    update t set t.share = t.amount / s.total from sales.totals t join sales.sums s on s.store = t.store;
end
GO
create function sales.net (@amount money) returns money as
begin
    declare @rate money;
    select @rate = rate from sales.rates;
    return @amount * @rate;
end
GO
create trigger sales.audit_lines on sales.lines after insert as
begin
    insert into sales.audit (line_id) select id from inserted;
end
GO
