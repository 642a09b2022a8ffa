create table o as
select t.id, q.price
from trades t
asof join quotes q match_condition (t.ts >= q.ts) on t.symbol = q.symbol
