do $$
declare
    code cursor for select code from t;
    z int;
begin
    open code;
    fetch code into z;
    insert into o (x) values (z);
end $$;
