create table o as
select t.id, to_jsonb(t) as doc from t
