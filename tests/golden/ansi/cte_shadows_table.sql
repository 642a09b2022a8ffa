with orders as (
  select id, amount from orders where status = 'open'
)
insert into o
select id, amount from orders
