create table hive.mart.o with (format = 'ORC', partitioned_by = array['d']) as
select approx_distinct(u) as users, d from hive.raw.events group by d
