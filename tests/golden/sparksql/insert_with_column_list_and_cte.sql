with c as (select id, v from s where ok)
insert into o (k, w) select id, v from c
