use sales
go
insert into o (a) select a from t
go
insert into p (a) select a from archive.dbo.t
use warehouse
insert into q (a) select a from t
go
