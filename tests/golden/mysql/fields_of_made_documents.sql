-- metadata: {"t": ["a", "b"]}
create table o as
select j ->> '$.a' as v, json_extract(j, '$.b') as w, json_value(j, '$.b') as x
from (select json_object('a', a, 'b', b) as j from t) q;
