declare day string default '20250901';
declare target string default format('`%s.%s`', 'ds', 'settled_orders');
declare project string;

execute immediate format("""
  insert into %s (order_id, created)
  select o.order_id, h.created from `big_sales.orders_%s` o join `big_sales.history` h on h.id = o.id
  where not exists (select 1 from %s m where m.order_id = o.order_id)
""", target, day, target);

execute immediate format("insert into `%s.kept` (a) select s.b from `p.%s.src` s", project, project);

execute immediate format("""
  export data options (uri = 'gs://bucket/%s/*.csv', format = 'CSV') as select a from ds.t
""", project);
execute immediate format("export data options (uri = '%s', format = 'CSV') as select a from ds.t", project);
