CREATE TABLE o (a Int64, b Int64, c Int64) ENGINE = Memory;
INSERT INTO o SELECT *, x + y AS z FROM t;
CREATE TABLE p (a Int64, b Int64, c Int64) ENGINE = Memory;
INSERT INTO p SELECT * FROM (SELECT k, *, l AS m FROM u) s;
CREATE TABLE q (a Int64, b Int64, c Int64) ENGINE = Memory;
INSERT INTO q SELECT *, f FROM v UNION ALL SELECT *, g FROM w;
