insert into table o
select a.id from a left semi join b on a.id = b.id and b.ok
