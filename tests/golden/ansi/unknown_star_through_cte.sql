with c as (select * from t)
insert into o (a, b)
select c.x, c.y from c
