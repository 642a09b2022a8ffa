alter semantic view v rename to w;
execute dbt project p args = 'run';
execute managed task t;
execute service in compute pool p from @s spec = 'x';
