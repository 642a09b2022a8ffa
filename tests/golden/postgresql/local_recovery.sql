INSERT INTO o (id, d)
SELECT id, a <#=> b FROM t WHERE c &&& d AND e = 1;
