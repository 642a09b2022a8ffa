with window_of as (select id as k, amount as a from dbo.sales where open_day = 1)
merge into window_of using dbo.changes as c on window_of.k = c.id
when matched then update set a = c.amount
when not matched then insert (k, a) values (c.id, c.amount);
