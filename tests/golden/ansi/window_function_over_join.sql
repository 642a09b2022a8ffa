select t.k, sum(s.v) over (partition by t.g order by t.d) as rv
from t
join s on t.k = s.k
