-- metadata: {"t": ["id", "a", "b", "s"]}
-- All columns that fit are arguments of one call.
create table o as
select least(*columns('a|b')) as low, greatest(unpack(columns(['a', 'b']))) as high from t;
