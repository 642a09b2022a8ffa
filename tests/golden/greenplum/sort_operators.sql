create table o as select array_agg(t.a order by t.b using operator(public.<^)) as list from t join u using (k);

create table p as select a from t order by b using ~<~ limit 3;
