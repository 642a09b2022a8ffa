-- metadata: {"s": ["a", "b"]}
-- Named by the place in the result, stars expanded.
create table x as select *, upper(b), cast(a as integer) from s;
insert into o select _col2, _col3, a from x;
insert into p select y.a from (select distinct (a) from s) y;
