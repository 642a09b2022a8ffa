SUBMIT TASK nightly AS INSERT OVERWRITE o SELECT a FROM t;
INSERT INTO FILES("path" = "s3://b/out/", "format" = "parquet") SELECT a, b FROM t;
CREATE DICTIONARY d USING src (k KEY, v VALUE);
