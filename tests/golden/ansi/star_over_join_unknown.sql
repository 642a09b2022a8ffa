create table o as
select * from a join b on a.id = b.id
