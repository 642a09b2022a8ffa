insert into db.o (a, b)
select t.a, max(t.b) from db.t group by t.a
returning a
