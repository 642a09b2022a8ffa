create volatile table vt as (
  select id, amount from db1.sales where d = date
) with data primary index (id) on commit preserve rows;
insert into db2.o (id, amount) select id, amount from vt;
