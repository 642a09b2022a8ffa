create table audit_log (op text, tab text, who text, old_total int);
create function note_change() returns trigger language plpgsql as $$
begin
    insert into audit_log (op, tab, who, old_total)
    select tg_op, tg_table_schema || '.' || tg_table_name, tg_argv[0], t.total from totals t where t.relation = tg_relid;
    update audit_log set who = sqlerrm where tab = tg_relname;
    return new;
end
$$;
