declare @picked table (id int, amount money);
insert into @picked (id, amount) select id, amount from dbo.sales where year = 2024;
insert into dbo.report (sale_id, amount) select id, amount from @picked;
