select id, amount into #recent from dbo.sales where year = 2024;
insert into dbo.report (sale_id, amount)
select id, amount from #recent;
