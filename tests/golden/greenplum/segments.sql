INSERT INTO o (a) SELECT a FROM gp_dist_random('s.t');
