delete from t
