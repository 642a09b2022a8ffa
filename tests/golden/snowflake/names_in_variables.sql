set src = 'db.s.t';
set (tgt, suffix) = ('s.o1', '_copy');
create table identifier($tgt) as select a from identifier($src) where b > 1;
insert into identifier($tgt || $suffix) select identifier('c') from t2;

begin
  let source string := 'db.s.t3';
  insert into o3 select a from identifier(:source);
end;

create table identifier($unknown) as select a from t4;
