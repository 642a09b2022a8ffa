create column table t (a int, b int, c int);
alter table t add (d int, e int);
alter table t drop (b, c);
rename column t.a to x;
insert into o (c1, c2, c3) select * from t;
