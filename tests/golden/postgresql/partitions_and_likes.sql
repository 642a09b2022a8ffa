create table n (like o including all, x int);
create table copy_of_z as table z;
alter table parent attach partition child for values from (1) to (2);
alter table moved set schema archive;
create materialized view mv as select a from t with no data;
refresh materialized view mv;
