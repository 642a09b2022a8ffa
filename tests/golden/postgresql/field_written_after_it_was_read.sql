-- Whoever has read a record does not get what its fields hold later.
DO $$
DECLARE
    r record;
BEGIN
    SELECT a, b INTO r FROM first_source;
    INSERT INTO first_target (a, b) VALUES (r.a, r.b);
    SELECT x INTO r.a FROM second_source;
    INSERT INTO second_target (a, b) VALUES (r.a, r.b);
    r.b := (SELECT y FROM third_source);
    INSERT INTO third_target (a, b) VALUES (r.a, r.b);
END
$$;
