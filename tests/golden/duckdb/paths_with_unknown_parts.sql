create table a as select p.x from read_parquet('s3://b/' || getvariable('day') || '.parquet') p;
create table c as select p.x from read_parquet([concat('s3://b/', getvariable('day'), '/x.parquet'), 'y.parquet']) p;
create table d as select p.x from read_csv(getvariable('path')) p;
