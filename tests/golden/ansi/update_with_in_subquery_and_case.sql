update t
set a = case when t.b > 0 then t.c else 0 end
where t.k in (select s.k from s)
