create or replace package body pkg as
  function f(p number) return number is v number;
  begin select max(a) into v from t where k = p; return v; end;
  function f(p number, q number) return number is v number;
  begin select b into v from u where k = p; return v; end;
  procedure go is
  begin
    insert into o1 (a) select f(s.k) from s;
    insert into o2 (a) select pkg.f(s.k, s.z) from s;
  end;
end;
/
create or replace function listed(p number) return row_list pipelined is
begin
  for r in (select a from w where k = p) loop pipe row (row_t(r.a)); end loop;
  return;
end;
/
insert into o3 (x) select a from table(listed(1));
