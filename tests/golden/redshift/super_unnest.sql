create table o as
select c.id, i.amount
from customers c, c.invoices i
