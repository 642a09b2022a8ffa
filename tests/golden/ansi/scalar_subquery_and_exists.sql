select (select max(p) from r where r.id = t.id) as mp
from t
where exists (select 1 from q where q.id = t.id)
