with ranked as (
  select id, rn, row_number() over (order by created) as new_rn from dbo.items
)
update ranked set rn = new_rn
