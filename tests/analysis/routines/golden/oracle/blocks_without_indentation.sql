insert into batches (no) values (1)
/
declare    total number; name varchar2(30);
begin
select count(*) into total from batches;
insert into totals (n) values (total);
end;
/
create or replace procedure purge_log is
begin
loop
begin
execute immediate 'drop table tmp_log';
exception
when others then
if sqlcode != -942 then
raise;
end if;
end;
execute immediate 'create table tmp_log as select id from log where done = 1';
if sql%rowcount = 0
then
exit;
end if;
delete from log where id in (select id from tmp_log);
end loop;
end;
/
show errors
create audit policy table_changes privileges create any table, drop any table actions delete on hr.staff;
create table docs (body clob) lob (body) store as (tablespace docs enable storage in row chunk 8192) as select body from old_docs;
exit
