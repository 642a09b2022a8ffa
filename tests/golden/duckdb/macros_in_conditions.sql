create macro f(p) as (select max(c) from u where u.k = p);
create table o1 as select id from t where f(a) > 2;
create table o2 as select t.id from t join z on f(t.a) = z.y;
create table o3 as select k from t group by k having max(f(a)) > 1;
