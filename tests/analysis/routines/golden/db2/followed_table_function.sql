create function rows_of(p int) returns table (a int, b int) language sql return select x, y from t where k = p;
insert into o (a) select q.a from table(rows_of(1)) as q;
