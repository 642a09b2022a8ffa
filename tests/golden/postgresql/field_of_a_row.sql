-- metadata: {"t": ["a", "b"], "n": ["m", "st"]}
create view v as
select (t).a as a, (array_agg(t))[1].b as b from t group by t.a;

create view w as
select m, (st).x as x, (st).* from n;
