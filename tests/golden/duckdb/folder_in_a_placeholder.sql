INSERT INTO o (a) SELECT a FROM '${file}';
