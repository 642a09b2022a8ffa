-- The name is the expression as DuckDB writes it back.
create table x as select MAX( a ), a+b, upper(c), cast(d as int) from s;
insert into o select "max(a)", "(a + b)", "upper(c)", "CAST(d AS INTEGER)" from x;
insert into p select y.a from (select distinct (a) from s) y;
insert into q select col1 from (select * from (values (1, (select max(a) from s)))) y;
