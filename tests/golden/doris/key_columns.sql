create table agg (k int, v int max, total bigint sum default '0') aggregate key (k) distributed by hash (k) buckets 1;
insert into o select * from agg;
