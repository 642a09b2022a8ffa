create table stage (id integer, name varchar(20), loaded timestamp);
insert into target (target_id, target_name, at)
select * from stage;
