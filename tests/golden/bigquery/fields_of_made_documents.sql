-- metadata: {"t": ["a", "b"]}
create table o as
select json_value(j, '$.a') as v, json_query(j, '$.s.b') as w
from (select to_json(struct(a, struct(b) as s)) as j from t);
