insert overwrite directory '/tmp/x' using parquet options (compression 'snappy') select a, b from t;
insert overwrite directory using parquet options (path '/tmp/destination') select a from t;
create table p using parquet options (path '/data/x');
create temporary view v using csv options (path 's3://b/x.csv', header true);
insert into o select a, b from parquet.`/data/in` f;
create table d (a int) using delta location 'abfss://c@acc.dfs.core.windows.net/d';
