INSERT INTO d.o (a, n)
SELECT a, COUNT(*) FROM d.t GROUP /* all of them */ BY a ORDER /* last */ BY a LIMIT 3;
