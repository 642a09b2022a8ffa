create external table e (a int) as copy from 's3://b/*.parquet' parquet;
copy t (a, b) from '/d/a.dat' on node1, '/d/b.dat' on any node delimiter '|';
export to parquet (directory = '/o') as select a from t;
