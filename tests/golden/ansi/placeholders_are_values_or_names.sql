insert into ${target}.daily (id, day)
select id, :day from ${source}.events where kind = ? and day = '${day}'
