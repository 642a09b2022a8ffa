create function f(k int) returns void language plpgsql as $$
declare
  path text;
begin
  execute 'SHOW search_path' into path;
  execute 'insert into o (a) '
    'select b from s where c = ' || k;
end
$$;
