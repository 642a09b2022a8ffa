CREATE OR REPLACE PROCEDURE ops.sync_customers(mode VARCHAR)
RETURNS TABLE (id NUMBER, name VARCHAR)
LANGUAGE SQL
AS
DECLARE
    started TIMESTAMP DEFAULT CURRENT_TIMESTAMP();
    latest TIMESTAMP;
    query VARCHAR;
    rs RESULTSET;
BEGIN
    SELECT MAX(updated_at) INTO :latest FROM ops.customers;

    MERGE INTO ops.customers AS t
    USING (
        SELECT s.id, s.name, s.updated_at
        FROM raw.customers AS s
        WHERE s.updated_at > :latest
        QUALIFY ROW_NUMBER() OVER (PARTITION BY s.id ORDER BY s.updated_at DESC) = 1
    ) AS n
    ON t.id = n.id
    WHEN MATCHED THEN UPDATE SET t.name = n.name, t.updated_at = n.updated_at
    WHEN NOT MATCHED THEN INSERT (id, name, updated_at) VALUES (n.id, n.name, n.updated_at);

    CASE (mode)
        WHEN 'full' THEN
            query := 'INSERT INTO ops.history (id, name) SELECT id, name FROM ops.customers';
        ELSE
            query := 'INSERT INTO ops.history (id) SELECT id FROM raw.customers';
    END CASE;
    EXECUTE IMMEDIATE :query;

    WHILE (started IS NULL) DO
        started := CURRENT_TIMESTAMP();
    END WHILE;

    rs := (SELECT id, name FROM ops.customers ORDER BY id);
    RETURN TABLE(rs);
END;

CREATE OR REPLACE PROCEDURE ops.copy_names()
RETURNS NUMBER
LANGUAGE SQL
AS 'BEGIN
  LET total NUMBER := 0;
  LET c CURSOR FOR SELECT name FROM raw.names WHERE kind = ''person'';
  OPEN c;
  LET one VARCHAR := '''';
  FETCH c INTO one;
  INSERT INTO ops.names (name) VALUES (:one);
  CLOSE c;
  RETURN total;
END';
