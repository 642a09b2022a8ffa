insert into o (x)
with lower(name) as n
select concat(n, '!') as x from people
