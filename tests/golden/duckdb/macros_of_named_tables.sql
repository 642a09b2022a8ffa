-- metadata: {"t": ["id", "a", "b"], "u": ["id", "c"]}
-- What such a macro reads, each of its calls says.
CREATE MACRO rows_of(tab) AS TABLE SELECT * FROM query_table(tab);
CREATE MACRO taken(col, tab := 'u') AS TABLE FROM query('SELECT id, ' || col || ' AS v FROM ' || tab);
CREATE MACRO size_of(tab) AS (SELECT count(*) FROM query_table(tab));

CREATE TABLE o1 AS SELECT a FROM rows_of('t') WHERE b > 1;
CREATE TABLE o2 AS SELECT x.v AS p, y.v AS q FROM taken('a', 't') x JOIN taken('c') y ON x.id = y.id;
CREATE TABLE o3 AS SELECT id, size_of('u') AS n FROM rows_of(tab := 't');
