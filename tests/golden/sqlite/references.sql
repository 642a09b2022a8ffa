create table a (x integer primary key, y text);
create table b (z references a);
alter table a rename to a9;
