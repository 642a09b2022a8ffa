delete top (100) from dbo.t where a = 1;
delete top (10) dbo.u output deleted.a into dbo.gone (a) where b = 2;
delete from dbo.t from dbo.t join dbo.s on s.k = t.k where s.z = 1
