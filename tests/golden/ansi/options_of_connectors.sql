create table sink (
  user_id varchar,
  ts timestamp,
  watermark for ts as ts - interval '5' second
) with ('connector' = 'filesystem', 'path' = 'hdfs://n:9000/raw/', 'format' = 'avro');
insert into sink select u, t from src;
