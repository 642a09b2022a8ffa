create table o as
select id, unnest(tags) as tag from t
