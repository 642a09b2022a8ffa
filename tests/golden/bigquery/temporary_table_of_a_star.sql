CREATE TEMP TABLE staged AS SELECT *, a + b AS total FROM d.t;
CREATE TABLE d.o AS SELECT id, total FROM staged WHERE day > '2024-01-01';
