insert into target (a) select s.a from source s join lookup l on l.k = s.k collate Latin1_General_CI_AS;
insert into target (b) select s.b from source s join lookup l on l.m collate Latin1_General_CI_AS = s.m collate Latin1_General_CI_AS;
