create table o as select k, collect_list(a) as l, max(a) as m from (select k, a, b from t order by b) x group by k
