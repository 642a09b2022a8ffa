create procedure dbo.far as
begin
    exec ('insert into app.kept (a) select a from app.t') at crm;
    exec ('insert into app.some (a) select a from app.u where k = ?', 7) at crm;
    insert into dbo.near (a) exec ('select a from app.t where b = 1') at crm;
end
go
