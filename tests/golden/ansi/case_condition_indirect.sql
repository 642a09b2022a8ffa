-- options: case_condition_direct=false
create view v as
select case when t.status = 'A' then t.amount else t.fallback end as amount
from t
