create temp table stage (id integer, v integer);
insert into stage select id, v from source where loaded > '2024-01-01';
delete from target using stage where target.id = stage.id;
insert into target select id, v from stage;
