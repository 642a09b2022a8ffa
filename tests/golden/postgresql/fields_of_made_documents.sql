-- metadata: {"t": ["id", "a", "b", "c"]}
-- A field that is taken out of a document comes from what the query put in under that key.
create table o as
select j ->> 'a' as v, j -> 'in' ->> 'b' as w, j #>> '{in,c}' as x
from (select jsonb_build_object('a', a, 'in', jsonb_build_object('b', b, 'c', c)) as j from t) q;
create table p as
select x.j ->> 'b' as v from (select to_jsonb(t) as j from t) x;
create table q as
select count(*) as n from (select json_build_object('a', a, 'b', b)::jsonb as j from t) q where j ->> 'b' = 'x';
-- Where a key is not constant, any value may be meant; the value of a function in FROM is no document of the query.
create table r as
select jsonb_build_object(c, a, 'b', b) ->> 'b' as v from t;
create table s as
select e ->> 'a' as v from t, jsonb_array_elements(t.c) e;
