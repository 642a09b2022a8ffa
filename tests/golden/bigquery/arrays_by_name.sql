-- An array of a table before it, by its name alone: also on the side of an outer join, without an alias,
-- below another array, in UPDATE, and in a query inside the one that has the table.
insert into d.lines (id, sku) select o.id, l.sku from d.orders o left join o.lines l on l.amount > o.minimum;

insert into d.tags (id, tag) select o.id, tags.name from d.orders o, o.tags;

insert into d.parts (sku, part) select l.sku, p.code from d.orders o, o.lines l, l.parts p;

insert into d.totals (id, total) select o.id, (select sum(l.amount) from o.lines l) from d.orders o;

insert into d.late (id) select o.id from d.orders o where exists (select 1 from o.lines l where l.late);

update d.stock s set amount = s.amount - l.amount from d.orders o, o.lines l where l.sku = s.sku;
