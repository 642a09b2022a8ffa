-- What ALTER TABLE does to the columns counts for the statements behind it; partition columns stay the last.
create table t (a int, b int, c int) partitioned by (ds string);
alter table t change column a x bigint comment 'renamed' after b;
alter table t add columns (d int);
insert into o1 (c1, c2, c3, c4, c5) select * from t;
alter table t replace columns (p int, q struct<u: int, v: int>);
insert into o2 (c1, c2, c3) select * from t;
insert into t partition (ds = '1') select k, l from s;
create table w partitioned by (ds string) stored as avro tblproperties ('avro.schema.literal' = '{"type": "record", "name": "w", "fields": [{"name": "m", "type": "int"}, {"name": "n", "type": "string"}]}');
insert into o3 (c1, c2, c3) select * from w;
create table schema_elsewhere partitioned by (ds string) stored as avro;
insert into o4 select title, ds from schema_elsewhere;
