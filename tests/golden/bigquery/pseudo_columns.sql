-- metadata: {"d.s": ["k", "v"], "d.u": ["k", "w"]}
insert into d.o1 select _partitiontime, _table_suffix, k from d.s;
insert into d.o2 select s._partitiondate, w from d.s join d.u using (k);
