INSERT INTO o (a)
SELECT a FROM t START /* at the root */ WITH parent IS NULL CONNECT /* down */ BY PRIOR id = parent;
