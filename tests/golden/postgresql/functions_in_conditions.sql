create function f(i int) returns int language sql return (select max(c) from u where k = i);
insert into o1 select id from t where f(a) > 2;
insert into o2 select id from t order by f(b) limit 3;
delete from o3 where f(x) > 1;
