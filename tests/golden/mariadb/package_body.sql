set sql_mode=oracle;
delimiter $$
create or replace package employee_tools as
  function get_salary(eid int) return decimal(10,2);
  procedure log(eid int, remark text);
end;
$$
create package body employee_tools as
  std_raise decimal(10,2) := 500;
  procedure log(eid int, remark text) as
  begin
    insert into employee_log (id, cmnt) select id, remark from employee where id = eid;
  end;
  function get_salary(eid int) return decimal(10,2) as
    found decimal(10,2);
  begin
    select salary into found from employee where id = eid;
    return found;
  end;
begin
  insert into started (id) select id from employee;
end;
$$
delimiter ;

rename table if exists a wait 5 to b;
