create or replace procedure load(day varchar, target varchar) as $$
begin
  execute 'copy s.t from ''s3://b/' || day || '/x.csv'' iam_role default csv';
  execute 'unload (''select a from s.t'') to ''' || target || ''' iam_role default';
end;
$$ language plpgsql;
