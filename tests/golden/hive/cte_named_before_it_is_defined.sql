-- metadata: {"t": ["a", "k"]}
create table o as
with q1 as (select a from q2 where k = 1), q2 as (select a, k from t)
select a from q1;
