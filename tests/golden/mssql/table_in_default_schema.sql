create table t (a int, b int);
insert into o select * from dbo.t;
select * into p from [DBO].t;
