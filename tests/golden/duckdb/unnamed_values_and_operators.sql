-- metadata: {"t": ["a", "b", "s", "l", "d"]}
-- The names that DuckDB 2.0 gave these columns.
create table o as
select [a, b], {'p': a}, a // b, a is distinct from b, s ilike 'x%', s similar to 'x', year(d), extract(month from d),
  try_cast(a as varchar), l::int[], list_transform(l, lambda x: x + 1), [x * 2 for x in l], position('x' in s), list_sort(l), ~a
from t;
create table p as
select percentile_cont(0.5) within group (order by a), first(b), count() from t;
