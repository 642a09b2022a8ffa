insert into o (id)
select a.id
from t partition (p2024) a
join u as of timestamp systimestamp - interval '1' hour b on b.id = a.id
