insert overwrite local directory '/tmp/x' row format delimited fields terminated by ',' stored as orc select a, b from t;
load data inpath 'hdfs://nn/x/y' overwrite into table db.t;
create external table e (a int, b string) partitioned by (dt string) row format delimited stored as textfile location 's3a://b/t';
alter table e add partition (dt = '1') location 's3a://b/t/1' partition (dt = '2') location 's3a://b/t/2';
