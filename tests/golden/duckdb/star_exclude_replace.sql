-- metadata: {"t": ["id", "a", "b"]}
create table o as
select * exclude (b) replace (a + 1 as a) from t
