insert into dbo.o (a) select q.a from openrowset('SQLNCLI', 'Server=far;Trusted_Connection=yes;', 'select a from db.dbo.t') as q;
insert into dbo.o (a) select q.a from openrowset('SQLNCLI', 'far';'user';'secret', 'select a from db.dbo.t') as q;
insert into dbo.o (a) select a from opendatasource('SQLNCLI', 'Data Source=far').db.dbo.u
