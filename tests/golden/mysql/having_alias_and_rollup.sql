create view v as
select region, sum(x) as total from t group by region with rollup having total > 5
