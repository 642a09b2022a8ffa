-- metadata: {"a": ["id", "x"], "b": ["id", "y"]}
create view v as
select x, y from a join b on a.id = b.id
