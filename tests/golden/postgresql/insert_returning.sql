insert into o (a, b)
select x, y from t
returning id
