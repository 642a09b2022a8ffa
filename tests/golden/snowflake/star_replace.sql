-- metadata: {"t": ["id", "amount", "rate"]}
create table o as
select * replace (amount * rate as amount) from t
