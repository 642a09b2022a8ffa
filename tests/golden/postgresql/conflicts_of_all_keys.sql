CREATE TABLE z (i int PRIMARY KEY, v int UNIQUE, p int, q int, r int, CONSTRAINT pair UNIQUE (p, q));
INSERT INTO z SELECT a, b, c, d, e FROM t ON CONFLICT DO NOTHING;
INSERT INTO z (i, r, q, p) SELECT a, b, c, d FROM u ON CONFLICT ON CONSTRAINT pair DO UPDATE SET r = excluded.r;
