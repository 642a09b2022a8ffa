update dbo.stock set qty -= m.qty, moved += 1
from dbo.stock join dbo.moves as m on m.sku = stock.sku
