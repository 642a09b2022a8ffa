merge into dbo.t using (select x as b, k from dbo.s) as s on t.k = s.k
when matched then update set b = s.b;
