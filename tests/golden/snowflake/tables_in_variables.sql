set src = 'db.s.t';
insert into o1 select a from table($src);
alter table p swap with identifier($src);

create procedure load(name varchar) returns varchar language sql as
declare
  found resultset;
begin
  found := (select a, b from v where c > 1);
  insert into o2 (x) select a from table(found);
  insert into o3 (x) select b from table(:found);
  insert into o4 (x) select a from table(:name);
  execute immediate 'copy into s.t from ''s3://b/' || :name || '/x.csv''';
end;

insert into o5 select a from table($unknown);
alter table p swap with identifier($unknown);
create table r from backup set bs identifier '1234';
