create table cities (id int, name text);
\copy cities (id, name) from 'cities.csv' csv header
\copy (select name from cities where id > 5) to 'names.csv' csv
insert into towns (name) select name from cities;
create function publish(target regclass) returns void language plpgsql as $$
begin
  execute format('create table %s as table cities', target);
end $$;
