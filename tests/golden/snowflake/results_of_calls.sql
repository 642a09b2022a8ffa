create procedure p() returns int language sql as $$
declare x int;
begin
    select a into :x from t;
    return x;
end $$;

create procedure q() returns int language sql as $$
declare y int;
begin
    call p() into :y;
    insert into o (z) values (:y);
end $$;
