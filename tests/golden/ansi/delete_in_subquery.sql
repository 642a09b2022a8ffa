delete from t
where id in (select s.id from s where s.gone = 1)
