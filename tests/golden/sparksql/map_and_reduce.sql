-- MAP and REDUCE are TRANSFORM under other names.
insert into o1 select a, b from (reduce m.k, m.v using 'sum' as (a, b) from (map src.key, src.value using 'cat' as k, v from src) m) r;
insert into o2 map a, b using 'cat' as (x, y) from t;
