create function app.load() returns void language plpgsql set search_path = app, pg_temp as $$
begin
  insert into o (a) select a from t;
end $$;
create procedure move() language plpgsql as $$
begin
  set search_path = stage;
  insert into o (a) select a from t;
end $$;
insert into p (a) select a from u;
