-- metadata: {"t": ["id", "a", "b"], "u": ["id", "c"]}
set variable most = (select max(a) from t where b > 1);
create table o1 as select id from u where c < getvariable('most');
create table o2 as select id, getvariable('most') from u;
set variable which = 't';
create table o3 as select a from query_table(getvariable('which')) where b > 1;
set variable text = 'select c from u';
create table o4 as from query(getvariable('text'));
set variable place = '/data/x.parquet';
create table o5 as select v from read_parquet(getvariable('place'));
create table o6 as select id from t where b > getvariable('never_set');
