INSERT INTO target SELECT COLLATION FOR (a) AS used, b FROM source;
REPACK (VERBOSE true) target (used);
