update d.inventory i
set quantity = i.quantity + n.quantity, supply_constrained = false
from d.new_arrivals n
where i.product = n.product
