create table t as select a from read_parquet('s3://b/*.parquet');
copy t to 'o.parquet' (format parquet);
copy (select a from 'x.csv') to 'y.json';
copy t (a) from 'in.csv';
insert into t select a from read_csv(['a.csv', 'b.csv'], header = true);
