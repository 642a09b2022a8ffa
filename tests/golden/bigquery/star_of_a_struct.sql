-- metadata: {"d.t": ["id", "a", "ts"], "d.u": ["id", "a"]}
-- The latest row of each id.
insert into d.o (id, a, ts)
select array_agg(x order by ts desc limit 1)[offset(0)].* from d.t as x group by id;

insert into d.p (id, a)
select if(l.a is null, r, l).* from d.u as l join d.u as r on l.id = r.id;

insert into d.q (x, y)
select (select as struct a, ts from d.t as i where i.id = u.id).* from d.u as u;

insert into d.r
select d.parse(a).* from d.u;
