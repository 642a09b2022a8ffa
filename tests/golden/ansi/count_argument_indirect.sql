-- options: count_direct=false
create view v as
select count(t.x) as n from t group by t.g
