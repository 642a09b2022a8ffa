insert into target (a) select s.a from source s join lookup l on l.k = s.k collate "C";
insert into target (b) select s.b from source s join lookup l on l.m collate "C" = s.m collate "C";
