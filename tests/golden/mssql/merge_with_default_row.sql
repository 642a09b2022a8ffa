merge into t as tgt using s as src on tgt.id = src.id
when matched then update set tgt.a += src.a
when not matched by target then insert default values
output inserted.a into log (a);
