create function rows_of(x int) returns table (a int, b int) as $$ select p, q from t where k = x $$;
insert into o (a) select a from table(rows_of(1));
insert into o2 (a) select g.a from s, table(rows_of(s.k)) g;
