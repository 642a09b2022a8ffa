CREATE VIEW of_day AS SELECT a, b FROM t WHERE d = {day:Date};
INSERT INTO o SELECT a FROM of_day(day = '2024-01-01');
INSERT INTO o SELECT v.b FROM x.other(day = '2024-01-01', n = 3) AS v;
