create table o as
select w.id, x.p, x.q, x.n from w, unnest(w.l, array[w.k, w.m]) with ordinality as x (p, q, n)
