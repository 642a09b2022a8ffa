delete from t where created < date '2020-01-01' and status = 'done'
