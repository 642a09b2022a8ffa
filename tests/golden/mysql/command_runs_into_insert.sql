-- Nobody can tell what the server would make of the first four. The fifth names a plan for statements like the one in it.
TRUNCATE TABLE old_rows INSERT INTO kept SELECT a FROM source;
COMMIT INSERT INTO kept SELECT b FROM source;
DROP TABLE old_rows INSERT INTO kept SELECT b FROM source;
ALTER TABLE kept ADD e INT INSERT INTO kept SELECT e FROM source;
DROP GLOBAL BINDING FOR INSERT INTO kept SELECT d FROM source;
INSERT INTO kept SELECT c FROM source;
