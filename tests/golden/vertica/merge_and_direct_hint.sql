merge /*+direct*/ into tgt t
using src s on t.id = s.id
when matched then update set v = s.v
when not matched then insert (id, v) values (s.id, s.v)
