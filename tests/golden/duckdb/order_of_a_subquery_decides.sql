create table o1 as select x.a from (select a, b from t order by b) x limit 3;
create table o2 as with q(i, j) as (select a, b from t order by b) select i from q limit 3;
create table o3 as select array_agg(a) as l from (select k, a, b from t order by b);
create table o4 as select sum(a) as s from (select k, a, b from t order by b);
