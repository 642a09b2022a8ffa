create table o1 as
with b as (select as value d.parse(x) from t)
select b.major, minor from b;

create table o2 as
with b as (select as value struct(x as y, z) from t where k > 1)
select y, b.z from b;

create table o3 as
with b as (select as value x from t) select b from b;

create table o4 as
select array(select as value i.price from unnest(t.items) as i) as prices from t;
