create table e (a number, b varchar2(10))
organization external (
  type oracle_loader default directory d
  access parameters (records delimited by newline fields terminated by ',' (a, b char))
  location ('a.dat', d2:'b.dat')
) reject limit unlimited;
insert into o select a from e;
