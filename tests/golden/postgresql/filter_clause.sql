create materialized view mv as
select day,
       count(*) filter (where status = 'ok') as ok_count,
       sum(amount) filter (where kind = 'refund') as refunded
from payments
group by day
