create view v as
select t.id from t where t.k = any (array(select s.k from s where s.on_sale))
