create function settings_of(p text) returns void language plpgsql as $$
declare v_child text; v_upsert text; v_merge int;
begin
    select c.child, s.upsert into v_child, v_upsert from children c join settings s on s.k = c.k;
    select merge into v_merge from merges;
    insert into used (child, how, merged) values (v_child, v_upsert, v_merge);
end
$$;
