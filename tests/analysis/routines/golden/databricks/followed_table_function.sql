create function rows_of(x int) returns table (a int) return select p from t where k = x;
insert into o (a) select a from rows_of(1);
