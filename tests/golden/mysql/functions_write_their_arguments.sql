delimiter //
create function note(p_key int) returns int
begin
    insert into notes (k) values (p_key);
    return 1;
end//
delimiter ;
select note(s.id) from source s;
