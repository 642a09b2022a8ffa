insert into o (id, n)
select t.id, @n := @n + t.v from t, (select @n := 0) init
