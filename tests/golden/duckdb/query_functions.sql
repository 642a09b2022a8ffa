-- metadata: {"t": ["a", "b"], "u": ["a", "b"]}
create table o1 as from query('select a + 1 as x from t where b > 1');
create table o2 as select q.b from query_table('t') q;
create table o3 as select a from query_table(['t', 'u']);
create table o4 as select a from query_table(['t', 'u'], true) where b > 1;
create table o5 as select * from query('select a from ' || 't');
