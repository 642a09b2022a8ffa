with changed as (select id, v from stage where ok)
update target t set v = c.v from changed c where c.id = t.id;
with gone as (select id from stage where not ok)
delete from target where id in (select id from gone);
