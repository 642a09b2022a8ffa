-- metadata: {"t": ["a", "b", "k"]}
create view latest as
select distinct on (k) a from t order by k, b desc;
