create function refresh(checks text[], who text) returns void as $$
declare
  line text;
  query text;
  n bigint;
begin
  for line in execute 'select * from ' || checks[1] || '()' loop
    insert into lines (line) values (line);
  end loop;
  execute 'delete from @extschema@.config where source = ' || quote_literal(who);
  execute format('insert into @extschema@.parts (name) select name from @extschema@.list_parts(%L)', who);
  query := 'select n from dblink(' || quote_literal(who) || ',' || quote_literal(query) || ') t (n bigint)';
  execute query into n;
  query := 'select count(1) from (' || array_to_string(checks, ' union all ') || ') x where x.a is not null';
  execute query into n;
end $$ language plpgsql;

create function clean_up() returns boolean as $$
  drop sequence numbers;
  insert into done (id) select id from todo;
  select true;
$$ language sql;

create trigger changed after insert or truncate on config for statement execute procedure invalidate();
