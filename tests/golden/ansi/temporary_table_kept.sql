-- options: temporaries
create temporary table recent as
select id from sales;
insert into report (sale_id)
select id from recent;
