-- metadata: {"t": ["a", "b", "s"], "w": ["r"]}
create table o1 as select struct_extract({'p': a, 'q': b}, 'p') as x, struct_extract(struct_pack(p := a, q := s), 'q') as y from t;
create table o2 as select struct_extract(q.st, 'q') as z from (select {'p': a, 'q': b} as st from t) q;
create table o3 as select struct_extract(r, 'p') from w;
