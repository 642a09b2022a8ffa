-- A variable of the session comes into being by the call; one may be called like a mode.
delimiter //
create procedure newest(out result int)
begin
    select max(a) into result from source;
end//
create procedure load_days()
begin
    call newest(@day);
    insert into days (a) values (@day);
end//
delimiter ;
call newest(@out);
insert into target (a) values (@out);
