update t from s set a = s.x where t.k = s.k;

upd t2 from d.s2 set a = s2.x where t2.k = s2.k;
