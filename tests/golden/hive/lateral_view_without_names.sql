insert into table o
select id, col from t lateral view explode(arr) x;
