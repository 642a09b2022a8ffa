-- metadata: {"t": ["a", "b"]}
create table o as
select a as b, b as c from t
