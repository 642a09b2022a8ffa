-- metadata: {"t": ["a", "b", "s"]}
create table o1 as select columns(* exclude (s)) + 1 as 'p_\0' from t;
create table o2 as select columns(['a', 'b']) as '\0\0' from t;
create table o3 as select columns(lambda c: c < 'b') from t;
