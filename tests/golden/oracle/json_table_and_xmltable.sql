create view v as
select t.id, j.sku, j.qty
from orders t,
     json_table(t.doc, '$.lines[*]' columns (sku varchar2(20) path '$.sku', qty number path '$.qty')) j
