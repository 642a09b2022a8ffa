-- metadata: {"t": ["id", "a", "k"], "u": ["k", "c"]}
create table l as select k, a from t left join u using (k);
create table r as select k, a from t right join u using (k);
create table f as select k, a from t full join u using (k)
