-- metadata: {"s": ["a", "b", "st", "tags"]}
-- An expression without an alias is _cN, N being its place in the select list as written: a star is one place.
create table x as select *, max(a), a + b, st.f, cast(a as int) from s;
insert into t select _c1, _c2, a, f, _c4 from x;
insert into u select col from (select explode(tags) from s) e;
insert into w select pos, val from (select posexplode(tags) from s) e;
insert into z select y.a from (select distinct (a) from s) y;
