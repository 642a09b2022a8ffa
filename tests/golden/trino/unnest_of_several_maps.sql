create table o as
select pk, pv, vk, vv from t cross join unnest(
  cast(json_parse(pod) as map(varchar, varchar)), cast(json_parse(volume) as map(varchar, varchar))
) as m (pk, pv, vk, vv);
create table p as
select a, b, c, n from t cross join unnest(cast(j as array(row(p int, q int))), y) with ordinality as m (a, b, c, n);
