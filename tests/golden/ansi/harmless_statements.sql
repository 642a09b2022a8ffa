grant select on t to bob;
set x = 1;
commit;
insert into o select a from t;
