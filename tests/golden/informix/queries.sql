SELECT SKIP 10 FIRST 5 id, name FROM customers WHERE city MATCHES 'B*' ORDER BY age INTO TEMP some WITH NO LOG;
INSERT INTO mailing (id, name) SELECT UNIQUE id, name FROM some;
SELECT k FROM stock INTO STANDARD kept;
INSERT INTO joined (x, y, z) SELECT a.x, b.y, c.z FROM a, OUTER (b, OUTER c) WHERE a.k = b.k AND b.j = c.j;
INSERT INTO times (t1, t2, t3, t4)
  SELECT CURRENT YEAR TO SECOND, EXTEND(l.seen, YEAR TO DAY), TODAY, l.due + 3 UNITS MONTH
  FROM visits l WHERE l.day > TODAY - 1 UNITS DAY;
INSERT INTO here:kept_orders (id) SELECT o.id FROM sales@branch:"owner".orders o;
INSERT INTO priced (item, kind, mark) SELECT p.item, "A" kind, replace(p.mark, "ROW(", "") FROM "owner".prices p
  WHERE p.brand = "ACME" AND p.state IN ("A", "B");
INSERT INTO priced (item, mark) VALUES ("001", "none");
