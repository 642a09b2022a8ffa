create table d.o as
select product, amount
from d.wide
unpivot (amount for quarter in (q1, q2))
