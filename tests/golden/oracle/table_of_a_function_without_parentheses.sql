CREATE OR REPLACE PACKAGE BODY util AS
    FUNCTION people RETURN people_tab PIPELINED IS
    BEGIN
        FOR r IN (SELECT id, name FROM persons) LOOP
            PIPE ROW (r);
        END LOOP;
    END;
    PROCEDURE copy IS
    BEGIN
        INSERT INTO inside (id) SELECT p.id FROM TABLE(util.people) p;
    END;
END;
/
INSERT INTO outside (id, name) SELECT p.id, p.name FROM TABLE(util.people) p;
-- A column is no function.
INSERT INTO items (item) SELECT i.COLUMN_VALUE FROM orders o, TABLE(o.items) i;
-- A function that no script defines is a source all the same.
INSERT INTO foreign_items (item) SELECT i.COLUMN_VALUE FROM TABLE(elsewhere.items) i;
