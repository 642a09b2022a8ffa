create or replace package body util as
  function regions_of (p_dept in number) return region_tab pipelined is
    v_rec region_rec;
    cursor c is select r.name, count(e.id) as staff from employees e join regions r on e.region_id = r.id
                where e.dept = p_dept group by r.name;
  begin
    for rec in c loop
      v_rec.name := rec.name;
      v_rec.staff := rec.staff;
      pipe row (v_rec);
    end loop;
    return;
  end;
  function listed (p_where in varchar2) return line_tab pipelined is
    type cur is ref cursor;
    c cur;
    v_line line_type;
  begin
    open c for 'select a.code, f.premium from policies a, frps f where a.id = f.policy_id';
    loop
      fetch c into v_line.code, v_line.premium;
      exit when c%notfound;
      pipe row (v_line);
    end loop;
  end;
  function proposals return proposal_tab pipelined is
    cursor c is select p.id, p.amount from proposals p;
    t_rows proposal_tab;
  begin
    open c;
    fetch c bulk collect into t_rows;
    for i in 1 .. t_rows.count loop
      pipe row (t_rows(i));
    end loop;
  end;
end;
/
insert into by_region (name, staff) select t.name, t.staff from table(util.regions_of(10)) t;
insert into lines (code, premium) select code, premium from table(util.listed('x'));
insert into proposed (id, amount) select p.id, p.amount from table(util.proposals()) p;
