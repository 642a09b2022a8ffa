create function f(x int) returns void language plpgsql as $$
#variable_conflict use_column
#print_strict_params on
declare
  y int;
begin
  insert into o (a) select b from s;
end
$$;
