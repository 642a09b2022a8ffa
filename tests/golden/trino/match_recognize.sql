create table o as
select m.cust, m.first_price, m.last_price
from orders
match_recognize (
  partition by cust
  order by ordered_at
  measures a.price as first_price, last(b.price) as last_price
  one row per match
  pattern (a b+)
  define b as b.price > a.price
) as m
