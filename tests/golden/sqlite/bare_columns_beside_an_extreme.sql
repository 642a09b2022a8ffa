create table o1 as select k, max(d) as d, b, upper(s) as s from t group by k;
create table o2 as select k as g, min(d) as d, b from t group by g;
create table o3 as select k, max(d) as d, min(e) as e, b from t group by 1;
