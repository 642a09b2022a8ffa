-- The name is the expression as Spark writes it back.
create table x as select MAX(t.a), t.a+1, upper( b ), cast(c as int), sum(case when a = 1 then d end), count(*) from s t;
insert into o select `max(a)`, `(a + 1)`, `upper(b)`, c, `sum(CASE WHEN (a = 1) THEN d END)` from x;
insert into p select `count(1)` from x;
insert into q select pos, col from (select posexplode(tags) from s) e;
