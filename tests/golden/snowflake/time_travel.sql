insert into restored select id, v from t at(timestamp => '2024-05-01 10:00:00'::timestamp) where v > 0
