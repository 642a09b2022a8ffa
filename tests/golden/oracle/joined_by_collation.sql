insert into target (a) select s.a from source s join lookup l on l.k = s.k collate binary_ci;
insert into target (b) select s.b from source s join lookup l on l.m collate binary_ci = s.m collate binary_ci;
