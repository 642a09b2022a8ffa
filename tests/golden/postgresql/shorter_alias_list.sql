-- metadata: {"u": ["id", "k", "c", "e"]}
-- The list names the first two columns; the others keep their names.
create view v as
select r.z1, r.e as x from u as r(z1, z2);
