create table o1 as
with recursive r (a, b) as (select a, b from t union all select t.a, t.b from t join r on t.p = r.a)
cycle a, b set looped using way
select looped, way, a from r;

create table o2 as
with recursive r (a, b) as (select a, b from t union all select t.a, t.b from t join r on t.p = r.a)
search depth first by b, a set ordered
select ordered from r;

create table o3 as
with recursive r (a, b) as (select a, b from t union all select t.a, t.b from t join r on t.p = r.a)
cycle a, b set looped to 'Y' default 'N' using way
select looped from r;

create table o4 as
with recursive r (a, b) as (select a, b from t union all select t.a, t.b from t join r on t.p = r.a)
cycle b set looped using way
select a from r;
