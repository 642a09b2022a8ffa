insert /*+ append */ all
  when end_dt = date '2024-01-01' then
    into #SCHEMA#.closed (code, num) values (code, num)
  else
    into #SCHEMA#.opened (code) values (code)
select n.code, n.num, n.end_dt
from stage.news n;
declare
  v_schema varchar2(30) := '#SCHEMA#';
begin
  execute immediate 'insert into ' || v_schema || '.kept (a#) select x.a# from stage.source x';
end;
/
