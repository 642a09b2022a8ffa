insert overwrite into o (a, b)
select x, y from t where z = 1
