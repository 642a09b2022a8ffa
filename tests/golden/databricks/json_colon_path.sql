create or replace view v as
select raw:user.id::bigint as user_id, raw:items[0].sku as sku from bronze.events
