create or replace public synonym syn for hr.emp;
insert into o select x from syn;
drop public synonym syn;
insert into o2 select x from syn;
alter table a exchange partition p1 with table b including indexes without validation;
rename q to r;
create table a2 for exchange with table a;
