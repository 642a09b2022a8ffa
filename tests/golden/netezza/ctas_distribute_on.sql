create table o as
select a.id, b.v from a join b on a.id = b.id
distribute on (id)
