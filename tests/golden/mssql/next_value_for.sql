insert into dbo.o (id, a) select next value for dbo.numbers, a from dbo.t;
insert into dbo.o (id, a) select next value for dbo.numbers over (order by b), a from dbo.t
