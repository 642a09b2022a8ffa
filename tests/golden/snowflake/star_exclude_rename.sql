-- metadata: {"t": ["id", "name", "secret", "city"]}
create table o as
select * exclude (secret) rename (city as town) from t
