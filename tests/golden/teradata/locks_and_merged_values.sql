locking table d.s for access insert into d.o (k) sel k from d.s;
replace view d.v as locking d.s for access locking row for read nowait select k, v from d.s;
merge into d.t using (sel k, v from d.s) s on t.k = s.k
when matched then update set v = s.v
when not matched then insert (s.k, s.v);
