MODEL (name shop.names);
SELECT name FROM shop.people;
