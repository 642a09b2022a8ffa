merge with schema evolution into target t using source s on s.k = t.k
when matched then update set t.v = s.v;

insert with schema evolution into o1 select a, b from s1;

create flow f as insert into once o2 by name select a from s2;

create table o3 as select * from my_function(table(select id, data from s3) partition by (id, day) order by data, 5);

create table o4 as select * from my_function(table(s4) with single partition order by x desc);

copy into o5 from (select a, b from 's3://bucket/in' with (credential c)) fileformat = csv;
