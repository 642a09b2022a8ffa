insert into o select a.key, c.val from uniquejoin preserve t1 a (a.key), t2 b (b.key), preserve t3 c (c.key);
