-- options: write_through_views
create view v as select x, y as yy from z;
insert into v (x, yy) select id, a from t where b > 1;
create view s as select k, count(*) as n from t group by k;
-- nobody can write through a view that groups
insert into s (k) select a from u;
