INSERT INTO o (x) SELECT s.a.b[0].c FROM t;
INSERT INTO p (y) SELECT e FROM t, t.items AS e AT n WHERE n < 5;
