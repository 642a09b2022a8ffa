-- Nobody can tell what the server would make of the first two.
TRUNCATE TABLE old_rows INSERT INTO kept SELECT a FROM source;
COMMIT INSERT INTO kept SELECT b FROM source;
INSERT INTO kept SELECT c FROM source;
