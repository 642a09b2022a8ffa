create table es (id int) stored by 'org.elasticsearch.hadoop.hive.EsStorageHandler' tblproperties ('es.resource' = 'i/d');

create table hb (k int, v string) stored by 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
with serdeproperties ('hbase.columns.mapping' = ':key,cf:v') tblproperties ('hbase.table.name' = 'ht');

create external table j (id int) stored by 'org.apache.hive.storage.jdbc.JdbcStorageHandler'
tblproperties ('hive.sql.jdbc.url' = 'jdbc:mysql://h/db?user=u&password=p', 'hive.sql.table' = 't');

create table plain (id int) clustered by (id) into 4 buckets stored as orc;
