create procedure p()
begin
    declare v, w, u int;
    declare done int default 0;
    declare c cursor for select a, b, z from t;
    declare continue handler for not found set done = 1;
    open c;
    l: loop
        fetch c into v, w, u;
        if done = 1 then
            leave l;
        end if;
        if w > 3 then
            iterate l;
        end if;
        insert into o (x) values (v);
    end loop;
    close c;
    insert into after_loop (x) select k from s;
end;
