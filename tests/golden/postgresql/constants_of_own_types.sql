INSERT INTO shapes
SELECT box '(1,1),(0,0)' && area AS overlaps, point '(1,2)' <-> place AS distance
FROM places WHERE address << inet '10.0.0.0/8' AND labels @> hstore 'a=>1';
