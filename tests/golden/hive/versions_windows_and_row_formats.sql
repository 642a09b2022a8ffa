insert into o1 select a from t for system_version as of 'branch1';
insert into o2 select last_value(a, false) over (partition by b order by c), count(a) over (cluster by b) from t;
insert overwrite directory '/out' row format delimited fields terminated by ':' collection items terminated by '#' map keys terminated by '=' select a from t;
insert into o3 select d + 1 day + '2' days, d + interval (a) day from t where b = _UTF-8 0xE982B5E993AE;
create scheduled query q every 2 hours executed as 'me' defined as insert into o4 select a from t;
