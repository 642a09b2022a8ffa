with ranked as (
  select *, row_number() over (partition by code order by loaded_at) as rn from dbo.codes
)
delete from ranked where rn > 1;

with old as (select id, day from dbo.events where day < '2020-01-01')
delete old where id > 10
