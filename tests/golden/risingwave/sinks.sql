create source s (account varchar, ts timestamp, watermark for ts as ts - interval '5' second)
  with (connector = 'kafka', topic = 'input') format plain encode json;
create sink k1 from m with (connector = 'kafka', properties.bootstrap.server = 'h:9092', topic = 'out') format plain encode json;
create sink if not exists k2 as with q as (select a, b from m where c > 1) select a, b from q
  with (connector = 'jdbc', jdbc.url = 'jdbc:postgresql://h:5432/db?user=u&password=p', table.name = 't9');
create sink k3 into tgt (x, y) as select a, b from m;
create table orders (id int primary key) from cdc table 'public.orders';
