CREATE OR REPLACE PROCEDURE jobs.publish(IN region STRING, IN target STRING)
BEGIN
  DECLARE highest, version INT64;
  DECLARE latest STRUCT<run_id INT64, label STRING>;

  SET latest = (
    SELECT AS STRUCT r.run_id, r.label
    FROM jobs.runs AS r
    WHERE r.finished
    ORDER BY r.run_id DESC
    LIMIT 1
  );
  EXECUTE IMMEDIATE 'SELECT MAX(v.version) FROM jobs.versions AS v WHERE v.version < 100' INTO version;
  CALL jobs.highest_order(latest.run_id, highest);

  INSERT INTO jobs.published (label, version, highest) VALUES (latest.label, version, highest);
  EXECUTE IMMEDIATE 'INSERT INTO ' || target || ' SELECT * FROM jobs.published';
END;

CREATE OR REPLACE PROCEDURE jobs.highest_order(IN wanted INT64, OUT result INT64)
BEGIN
  SET result = (SELECT MAX(o.order_id) FROM mart.orders AS o WHERE o.run_id = wanted);
END;
