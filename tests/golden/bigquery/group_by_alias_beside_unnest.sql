insert into d.o (g, n)
select upper(x) as g, count(*) as n from d.t, unnest(arr) as x group by g;
