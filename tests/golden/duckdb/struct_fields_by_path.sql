-- metadata: {"w": ["id", "k", "q"]}
create table o as
select st.b.c as c, x.st.b.d as d, st['b']['d'] as e, (st).a as f
from (select {'a': k, 'b': {'c': id, 'd': q}} as st from w) x;
create table o2 as select st.* from (select {'a': k, 'b': id} as st from w);
create table o3 as select a.b as y from (select {'b': id, 'd': k} as a from w) a;
