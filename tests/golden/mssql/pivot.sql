select store, [jan], [feb]
into sales_by_month
from (select store, m, v from dbo.sales) s
pivot (sum(v) for m in ([jan], [feb])) p
