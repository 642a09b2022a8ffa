insert into dbo.o (a, fee) select a, $1.50 from dbo.t where price > $100
