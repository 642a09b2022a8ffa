create table o as
select x.k, e.p from (select k, array_agg({'p': a, 'q': b}) as l from t group by k) x, unnest(x.l) u(e) where e.q > 1;
