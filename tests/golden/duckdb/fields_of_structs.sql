-- metadata: {"t": ["id", "a", "b"]}
create table o as
select {'p': a, 'q': b}.p as x, (t).b as y, arg_max(t, id).a as z from t;
