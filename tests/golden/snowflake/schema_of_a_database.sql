USE DATABASE shop;
CREATE TABLE t AS SELECT a FROM lake.raw.s;
INSERT INTO o (a) SELECT a FROM shop.public.t;
USE lake;
INSERT INTO p (a) SELECT a FROM raw.s;
