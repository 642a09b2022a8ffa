insert dbo.t with (tablock) (a, b) select a, b from dbo.s;
insert into dbo.t with (tablockx, holdlock) select a, b from dbo.s
