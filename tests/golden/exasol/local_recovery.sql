INSERT INTO best (id, price)
SELECT id, price FROM offers WHERE stock > 0 PREFERRING LOW price PLUS HIGH quality;
