create table o engine = MergeTree order by id as
select id, v from t final prewhere d >= '2024-01-01' where v > 0 order by v desc limit 3 by id
