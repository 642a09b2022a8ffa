INSERT INTO o (n)
SELECT CAST(nspname AS information_schema.sql_identifier) FROM pg_namespace;
