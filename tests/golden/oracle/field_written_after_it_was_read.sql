-- Whoever has read a record does not get what its fields hold later.
DECLARE
    r days%ROWTYPE;
BEGIN
    SELECT a, b INTO r.a, r.b FROM first_source;
    INSERT INTO first_target (a, b) VALUES (r.a, r.b);
    SELECT x INTO r.a FROM second_source;
    INSERT INTO second_target (a, b) VALUES (r.a, r.b);
END;
/
