GRANT SELECT ON staging TO loader
INSERT INTO orders (id) SELECT staging_id FROM staging
COMMIT
INSERT INTO audit_log (id) SELECT id FROM orders
COMMENT ON TABLE orders IS 'what was bought'
MERGE INTO totals t USING orders o ON (t.id = o.id) WHEN MATCHED THEN UPDATE SET t.n = o.n
CALL refresh_all(1)
DELETE FROM staging WHERE done = 1
