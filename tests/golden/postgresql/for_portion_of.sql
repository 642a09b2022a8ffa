UPDATE rents FOR PORTION OF valid_at FROM '2024-01-01' TO '2025-01-01' AS r SET amount = p.amount FROM prices p WHERE r.id = p.id;
DELETE FROM rents FOR PORTION OF valid_at ('[2024-01-01,2025-01-01)'::daterange) AS r WHERE r.flat = 1;
