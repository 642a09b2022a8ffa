create table n3 (id int) ignore select a from o;
insert into p select * from n3;
create temporary table n5 (like o);
