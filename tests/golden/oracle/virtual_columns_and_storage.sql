create table emp (
  id number(6) constraint emp_pk primary key using index pctfree 10 tablespace ts,
  sal number default 0 not null enable,
  bonus number generated always as (sal * 0.1) virtual,
  mgr number(6) constraint mgr_fk references emp (id)
) tablespace data_ts result_cache (mode force);
