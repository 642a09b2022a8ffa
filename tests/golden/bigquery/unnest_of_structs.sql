-- metadata: {"d.t": ["id", "items"]}
insert into d.o (id, price) select id, x.price from d.t, unnest(items) as x;

-- A field needs no qualifier, and d.t has no such column.
insert into d.p (id, price) select id, price from d.t, unnest(items) as x;

insert into d.q (n) select count(*) from d.t, unnest(items) as x;
