-- metadata: {"srcpart": ["key", "ds", "hr"]}
create table o as select key, max(struct(ds, hr)).col2 as m from srcpart group by key;
create table o2 as select x.col1 as p from (select struct(ds, hr) as x from srcpart) q;
