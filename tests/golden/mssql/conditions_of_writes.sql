create procedure load_day @day date as
begin
    declare @rows int;
    select @rows = count(*) from staging where load_day = @day;
    if @rows = 0 and not exists (select 1 from holidays h where h.day = @day)
    begin
        insert into problems (day) values (@day);
        insert into mails (day) values (@day);
    end
    else if @@error = 0
        delete from problems;
    while @rows > 1
        update progress set step = 2;
    if object_id('dbo.old') is not null
        delete from old;
end
go
create procedure only_once as
begin
    declare @runs int;
    select @runs = count(*) from runs where finished = 1;
    if @runs > 0
        return;
    insert into started (n) values (1);
end
go
