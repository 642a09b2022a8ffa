-- The update reads what stands in the FROM clause of the query: derived tables, named queries, tables in parentheses.
INSERT INTO people (id, name)
SELECT p.id, p.name FROM (SELECT p.id, n.name, p.dead FROM person p JOIN names n ON n.id = p.id) p
ON DUPLICATE KEY UPDATE dead = p.dead;
INSERT INTO visits (id, day)
WITH latest AS (SELECT id, day, place FROM raw_visits) SELECT l.id, l.day FROM latest l
ON DUPLICATE KEY UPDATE place = l.place;
INSERT INTO stock (id) (SELECT g.id FROM goods g LEFT JOIN (prices p JOIN units u ON u.id = p.unit) ON p.id = g.id)
ON DUPLICATE KEY UPDATE unit = u.name;
