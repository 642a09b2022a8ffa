create table x as select a, upper(b), concat(b, c) from s;
insert into t select _c1, _c2, a from x;
