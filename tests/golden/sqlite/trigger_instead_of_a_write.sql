create view v as select x, y from z;
create trigger tr instead of insert on v begin insert into o (i, j) values (new.x, new.y); end;
insert into v select id, a from t where b > 1;
