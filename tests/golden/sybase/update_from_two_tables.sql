update titles
set total_sales = titles.total_sales + sales.qty
from titles, sales
where titles.title_id = sales.title_id
