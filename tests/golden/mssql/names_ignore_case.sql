create table dbo.Stage (Id int, Name varchar(10));
insert into dbo.O select * from DBO.STAGE where NAME <> '';
