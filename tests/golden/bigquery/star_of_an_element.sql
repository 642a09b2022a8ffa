create table o1 as
with p as (select t.id, x.* from t cross join unnest(t.items) as x)
select p.id, p.name, price from p;

create table o2 as
with u as (select * from unnest((select a from t1)) union all select * from unnest((select b from t2)))
select field from u;

create table o3 as
with v as (select * from unnest((select a from t1)) as y) select field, y from v;

create table o4 as select i.* except (secret) from t, t.items as i;
