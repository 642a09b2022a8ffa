exchange tables a and b;
rename table a to a1, c to d on cluster x;
alter table t replace partition 1 from s;
alter table t move partition 1 to table u;
create table copy_of_t as t engine = MergeTree order by a;
