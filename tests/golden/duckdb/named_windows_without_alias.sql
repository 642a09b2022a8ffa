create table x as select sum(a) over w, max(b) over v from t window w as (partition by k), v as (w order by d);
create table o as select "sum(a) OVER (PARTITION BY k)" as p, "max(b) OVER (PARTITION BY k ORDER BY d)" as q from x;
