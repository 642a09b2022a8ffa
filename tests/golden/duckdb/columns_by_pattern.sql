-- metadata: {"p": ["k", "yr", "q1", "q2"]}
create table o1 as select columns('^q') from p;

create table o2 as select columns('q(\d)') as 'n\1' from p;

create table o3 as select min(columns(* exclude (k, yr))) from p;

create table o4 as select columns(lambda c: c like 'y%') + 1 from p;

create table o5 as select columns(['k', 'q2']) from p;

create table o6 as select coalesce(*columns('^q')) as x from p;

create table o7 as select * like 'q%' from p;

create table o8 as select * not like 'q%' from p;
