unload (select a from t) to 's3://b/o/' with (format = 'PARQUET');
create external table e (a int) stored as parquet location 's3://b/x/' tblproperties ('k' = 'v');
