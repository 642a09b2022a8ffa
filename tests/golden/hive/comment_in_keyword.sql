INSERT INTO o
SELECT a FROM t DISTRIBUTE /* over reducers */ BY a SORT /* there */ BY a;
