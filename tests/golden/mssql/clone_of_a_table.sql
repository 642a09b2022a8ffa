create table dbo.c as clone of dbo.p at '2023-05-23T14:24:10.325';
create table dbo.d as clone of dbo.q;
