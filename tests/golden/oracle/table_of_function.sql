insert into o (a) select a from table(pkg.rows_of(1));
insert into o (a) select q.a from d, table(d.items) q
