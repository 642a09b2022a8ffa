create table mart.daily using parquet partitioned by (d) as
select d, sum(x) as x from raw.events where ok group by d
