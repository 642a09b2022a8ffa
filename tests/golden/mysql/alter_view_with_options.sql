alter definer = 'admin'@'localhost' view v as select a from t;

alter algorithm = merge sql security invoker view w as select b from t;
