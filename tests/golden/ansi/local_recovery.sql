INSERT INTO o (a) SELECT a FROM t WHERE b ~=~ c;
INSERT INTO o (a) SELCT a FROM t;
INSERT INTO o (a) SELECT a FORM t;
INSERT INTO o (a) SELECT t.a FROM t JION u ON t.k = u.k;
INSERT INTO o (a) SELECT a FROM t WHERE (b = 1;
INSERT INTO o (a, b) SELECT t.a, u.b FROM t LOOKUP u ON t.k = u.k;
