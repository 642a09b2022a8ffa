begin
    for r in (select a, b from t) loop
        if r.b > 3 then
            continue;
        end if;
        insert into o (x) values (r.a);
    end loop;
end;
/
