alter table t append from s;
create table sales (id int identity(1, 1), list_id int references listing (id) distkey) sortkey auto;
