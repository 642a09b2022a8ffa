create table o as
select t.ts, p.price
from trades t
asof join prices p on t.symbol = p.symbol and t.ts >= p.ts
