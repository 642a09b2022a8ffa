create or replace package body history as
  g_day date;
  procedure note is
  begin
    insert into notes (day) values (g_day);
  end;
  procedure keep (p_dept in number) is
    cursor c is select e.id, e.salary from employees e where e.dept = p_dept and e.active = 1;
    type rows_t is table of c%rowtype index by pls_integer;
    l_rows rows_t;
    v_name varchar2(10);
    procedure fill is
    begin
      select d.name into v_name from departments d;
    end;
    procedure store is
    begin
      forall i in 1 .. l_rows.count
        insert into kept (id, salary) values (l_rows(i).id, l_rows(i).salary);
    end;
  begin
    select max(day) into g_day from days where kind = 'X';
    note;
    fill;
    insert into names (name) values (v_name);
    open c;
    fetch c bulk collect into l_rows;
    store;
    forall i in 1 .. l_rows.count
      delete from employees where id = l_rows(i).id;
  end;
end;
/
declare
  v_ids app.number_table;
  v_things app.thing_table;
begin
  select id bulk collect into v_ids from chosen where state = 'N';
  forall i in 1 .. v_ids.count
    update orders set done = 'Y' where order_id = v_ids(i);
  select thing(t.a, t.b) bulk collect into v_things from things t;
  for i in 1 .. v_things.count loop
    update results set remark = v_things(i).b where result_id = v_things(i).a;
  end loop;
end;
/
