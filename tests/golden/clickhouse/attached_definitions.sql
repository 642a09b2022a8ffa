ATTACH TABLE db.x UUID 'c63ac1e6-a0b8' (`a` String, `b` UInt8) ENGINE = MergeTree ORDER BY a SETTINGS index_granularity = 8192;
insert into db.x select p, q from y;
ATTACH MATERIALIZED VIEW db.mv UUID 'd1' TO db.x (`a` String, `b` UInt8) AS SELECT s AS a, t AS b FROM db.z;
ATTACH VIEW db.v AS SELECT a FROM db.x;
ATTACH TABLE _ UUID 'c2' (`a` String) ENGINE = Log;
ATTACH TABLE db.w;
