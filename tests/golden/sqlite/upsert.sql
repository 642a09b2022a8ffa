insert into vocabulary (word, n)
select word, 1 from seen where true
on conflict (word) do update set n = n + 1
