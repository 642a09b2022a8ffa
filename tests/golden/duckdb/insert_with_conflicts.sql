create table z (x integer primary key, y integer);
-- Which rows are changed and which are new depends on the keys.
insert into z select id, k from u on conflict (x) do update set y = excluded.y;

insert or replace into z select id, k from w;
