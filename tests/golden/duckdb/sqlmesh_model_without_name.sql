MODEL (kind FULL);
SELECT name FROM shop.people;
