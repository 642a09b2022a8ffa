create temporary table recent as
select id, amount from sales where sold_at > date '2024-01-01';
insert into report (sale_id, amount)
select id, amount from recent;
