create or replace view c.s.sales (month comment 'Month', status) with metrics language yaml comment 'A metric view' as $$
version: 1.1
# where the numbers come from
source: samples.tpch.orders
filter: source.o_orderdate > '1990-01-01'
joins:
  - name: customer
    source: samples.tpch.customer
    on: source.o_custkey = customer.c_custkey
dimensions:
  - name: month
    expr: date_trunc('MONTH', source.o_orderdate)
  - name: Order Status
    expr: |
      case when source.o_orderstatus = 'O' then 'Open'
           else customer.c_name end
measures:
  - name: total
    expr: SUM(source.o_totalprice)
    comment: 'all of it'
  - name: orders
    expr: "COUNT(DISTINCT source.o_orderkey)"
$$;
