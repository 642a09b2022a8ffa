INSERT INTO o (above, below) SELECT g |>> h, g <<| h FROM t WHERE g |&> h;
