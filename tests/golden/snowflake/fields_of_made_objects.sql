-- metadata: {"t": ["a", "b", "c"]}
create table o as
select j:a::int as v, j:inner.b::string as w, j['c'] as x
from (select object_construct('a', a, 'inner', object_construct('b', b, 'd', a), 'c', c) as j from t) q;
create table p as
select parse_json(to_json(object_construct('a', a, 'b', b))):b::int as v from t;
