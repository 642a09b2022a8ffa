create table o as select x.a from (select y.a, y.b from (select a, b from t order by b) y) x limit 3;
create table p as select string_agg(s, ',') as l from (select s, n from u order by n) x;
