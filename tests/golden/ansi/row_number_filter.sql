insert into o (id, name)
select id, name
from (
  select id, name, row_number() over (partition by id order by loaded_at desc) as rn
  from stage
) x
where rn = 1
