-- metadata: {"s": ["a", "b"]}
create table x as select a, upper(b), a + 1 from s;
insert into o select EXPR$1, EXPR$2, a from x;
