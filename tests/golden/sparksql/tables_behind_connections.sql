CREATE TEMPORARY VIEW v (a INT) USING jdbc OPTIONS (url 'jdbc:postgresql://h/d?user=me&password=secret', dbtable 's.t', user 'me', password 'secret');
CREATE TABLE w (a INT) USING org.apache.spark.sql.jdbc OPTIONS (url = 'jdbc:oracle:thin:me/secret@h:1521/x', dbtable = 's.u');
CREATE TABLE x USING jdbc OPTIONS (url 'jdbc:sqlserver://h:1433;user=me;password=secret', dbtable 's.v');
INSERT INTO o (y) SELECT a FROM v;
