-- metadata: {"w": ["id", "k", "q"]}
create table o as
select x.st.b.c as c, st.b.d as d
from (select struct(k as a, struct(id as c, q as d) as b) as st from w) x;
create table o2 as select x.st.* from (select struct(k as a, id as b) as st from w) x;
