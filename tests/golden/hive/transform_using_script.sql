insert overwrite table o
select transform (t.a, t.b) using 'python score.py' as (id, score)
from t
