create view v as
select id,
       sum(amount) over w as running,
       row_number() over (w rows unbounded preceding) as rn
from payments
window w as (partition by account order by paid_at)
