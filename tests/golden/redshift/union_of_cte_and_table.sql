with c as (select id from a where x = 1)
select id into o from (select id from c union all select bid from b) u
