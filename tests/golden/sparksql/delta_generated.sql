create table if not exists db.t (id int, ts timestamp, y int generated always as (id + 1)) using delta partitioned by (y);
