insert into target (a) select s.a from source s join lookup l on l.k = s.k collate utf8mb4_bin;
insert into target (b) select s.b from source s join lookup l on l.m collate utf8mb4_bin = s.m collate utf8mb4_bin;
