insert into s1.o (id)
select id from s1.t order by rank fetch first 5 rows only with ur
