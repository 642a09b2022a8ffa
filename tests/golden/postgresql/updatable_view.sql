-- options: write_through_views
-- metadata: {"z": ["x", "y", "s"]}
create view v as select x, y as yy from z where s > 1;
insert into v select id, a from t where b > 1;
update v set yy = u.c from u where u.id = v.x;
create view w as select yy from v;
delete from w where yy > 3;
