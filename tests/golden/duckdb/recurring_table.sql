create table o as
with recursive r(i, n) using key (i) as (
    select id, a from t
    union
    select r.i, q.n from r join recurring.r q on q.i = r.n
)
select n from r;
