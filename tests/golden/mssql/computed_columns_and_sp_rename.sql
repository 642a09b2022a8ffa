create table dbo.t (a int, b int, c as (a * b) persisted not null, d as a + 1 primary key);
alter table dbo.t add e as (a - b);
exec sp_rename 'dbo.t', 't2';
exec sp_rename @objname = 'dbo.t2', @newname = 't3', @objtype = 'OBJECT';
insert into o select * from dbo.t3;
