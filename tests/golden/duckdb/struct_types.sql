-- metadata: {"t": ["a", "b"]}
create type pair as struct(p integer, q varchar);
create table o as
select (row(a, b)::pair).q as v from t;
