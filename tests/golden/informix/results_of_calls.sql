create procedure one() returning int;
    define x int;
    select a into x from t;
    return x;
end procedure;

create function pairs() returning int, int;
    define x, y int;
    foreach select b, c into x, y from u
        return x, y with resume;
    end foreach;
end function;

create procedure q()
    define v, w, x, y int;
    execute procedure one() into v;
    insert into o (p) values (v);
    call one() returning w;
    insert into o (q) values (w);
    foreach execute function pairs() into x, y
        insert into r (p, q) values (x, y);
    end foreach;
    insert into i (p, q) execute function pairs();
end procedure;

insert into j (p, q) execute function pairs();
