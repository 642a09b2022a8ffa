with u as (
  select id, name from customers
  union all
  select partner_id, partner_name from partners
)
insert into people
select * from u
