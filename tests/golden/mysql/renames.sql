rename table a to b, s.c to s.d;
alter table x rename as y;
alter table x2 rename to y2, add column z int;
