create function latest(text) returns text language plpgsql as $$
begin
    $1 := (select max(at) from visits);
    insert into seen (at) values ($1);
    return $1;
end
$$;
create function {schema}.dearest(item text) returns void language plpgsql as $$
begin
    insert into chosen (name) select name from items where id = item;
end
$$;
