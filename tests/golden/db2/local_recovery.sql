INSERT INTO o (full_name, since)
SELECT first_name CONCAT last_name, CURRENT DATE - hired FROM staff WHERE hired > CURRENT DATE - 3 MONTHS;

INSERT INTO o2 (title)
SELECT XMLQUERY('$d/title' PASSING doc AS "d") FROM books;
