do sleep(5);
do (select max(a) from t);
