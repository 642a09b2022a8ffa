create table d.o as with c as (select struct(a as p, b as q) as st, k from d.t) select c.st.p, st.q from c where k > 0
