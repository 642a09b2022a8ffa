create table bronze.p (id int, name string, op string, n int, _rescued_data string);
create flow f as auto cdc into silver.p from stream(bronze.p)
  keys (id) apply as delete when op = "DELETE" sequence by n columns * except (op, n, _rescued_data) stored as scd type 1;
apply changes into live.q from stream bronze.p keys (id) ignore null updates apply as truncate when op = 'T'
  sequence by (n, name) columns (id, name) stored as scd type 2 track history on name;
create or replace live table r as select id, max(name) as name from live.q group by id;
