create table prod.db.ice (id int, name string) using iceberg;
insert into o1 select * from prod.db.ice.branch_b2;
insert into o3 select snapshot_id from prod.db.ice.snapshots;
