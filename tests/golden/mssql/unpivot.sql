insert into long_sales (store, amount)
select u.store, u.amount
from dbo.wide
unpivot (amount for month in (jan, feb)) as u
