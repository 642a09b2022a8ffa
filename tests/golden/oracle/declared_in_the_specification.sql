-- What the specification of a package declares is known in its body, and elsewhere under the name of the package.
CREATE OR REPLACE PACKAGE loading IS
    source_name CONSTANT VARCHAR2(30) := 'raw_hours';
    newest DATE;
    CURSOR days IS SELECT a, b AS c FROM raw_days;
    PROCEDURE run;
END loading;
/
CREATE OR REPLACE PACKAGE BODY loading IS
    PROCEDURE run IS
        one days%ROWTYPE;
    BEGIN
        FOR r IN days LOOP
            INSERT INTO by_loop (a) VALUES (r.a);
        END LOOP;
        OPEN days;
        FETCH days INTO one;
        INSERT INTO by_fetch (c) VALUES (one.c);
        EXECUTE IMMEDIATE 'INSERT INTO hours (h) SELECT h FROM ' || source_name;
        SELECT d INTO loading.newest FROM dates;
    END;
END loading;
/
CREATE OR REPLACE PROCEDURE report IS
BEGIN
    FOR r IN loading.days LOOP
        INSERT INTO reported (a) VALUES (r.a);
    END LOOP;
    INSERT INTO reported (d) VALUES (loading.newest);
END;
/
