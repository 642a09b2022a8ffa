-- A branch or tag is the table it belongs to; what describes a table is read from it.
create table db.ice (id int, name string) stored by iceberg;
alter table db.ice create branch b1;
alter table db.ice rename branch b1 to b2;
insert into o1 select * from db.ice.branch_b2;
insert into o2 select name from db.ice.tag_t1;
insert into o3 select snapshot_id from db.ice.snapshots;
insert into o4 select * from db.ice('acid.fetch.deleted.rows' = 'true');
