-- metadata: {"t": ["day", "ts", "x"]}
create view v as
select date_trunc('day', ts) as day, sum(x) as s from t group by day, ts
