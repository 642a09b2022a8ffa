create alias al for sch.t;
insert into o select a from al;
rename table x to y;
