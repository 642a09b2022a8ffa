set search_path to "$user", app, public;
insert into o (a) select a from t;
set schema 'other';
insert into o (a) select a from t
