delete history from t where a in (select k from u);
delete from t where b = 1;
