-- What a query assigns in its select list is there for the statements that follow, in a script as in a routine.
select @newest := max(id) from source;
insert into target (a) values (@newest);
select s.name, @x := s.x, @y := s.y as y from other s limit 1;
insert into target (x, y) values (@x, @y);
delimiter //
create procedure load_days()
begin
    select @day := d from dates;
    insert into days (d) values (@day);
end//
delimiter ;
