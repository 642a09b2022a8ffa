update t
set a = (select s.v from s where s.id = t.id)
where t.flag = 'N'
