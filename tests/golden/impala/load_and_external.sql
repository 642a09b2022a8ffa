load data inpath '/user/x' into table t partition (d = 1);
create external table e like parquet '/p/x.parquet' stored as parquet location '/p';
