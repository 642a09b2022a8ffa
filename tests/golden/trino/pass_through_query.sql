insert into lake.o (a)
select a from table(mysql.system.query(query => 'select a from app.t where b = 1')) as q
