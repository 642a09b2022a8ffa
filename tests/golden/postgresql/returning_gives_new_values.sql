-- metadata: {"z": ["x", "y"]}
with changed as (
  update z set y = t.a from t where t.id = z.x returning z.x, z.y
)
insert into o (i, j) select x, y from changed;
with added as (
  insert into z select id, c from u where d > 1 returning *
)
insert into p (i, j) select x, y from added
