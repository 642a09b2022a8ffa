MODEL (name shop.totals, kind FULL);
SELECT o.day, @clean(o.note) AS note, u.name
FROM @source('raw', 'orders') AS o JOIN shop.users AS u ON u.id = o.user_id
WHERE o.day > @start_date;
