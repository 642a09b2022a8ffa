copy into t from (select a, b::int as bb from 's3://b/x') fileformat = csv;
copy into delta.`/mnt/x` from '/landing' fileformat = json;
insert into o select * from read_files('abfss://c@acc.dfs.core.windows.net/p', format => 'csv');
merge into delta.`/x/y` as t using s on t.id = s.id when matched then update set t.a = s.a;
