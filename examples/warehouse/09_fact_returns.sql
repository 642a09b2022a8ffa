-- Returned goods at the price they were sold for.
create or replace table core.fact_returns as
select
    r.return_id,
    f.order_id,
    f.line_no,
    f.customer_key,
    f.product_key,
    r.returned_on,
    datediff('day', f.order_date, r.returned_on)         as days_kept,
    decode(r.reason_code, 'D', 'damaged', 'W', 'wrong article', 'N', 'not liked', 'other') as reason,
    least(r.quantity, f.quantity)                        as quantity,
    f.net_eur * least(r.quantity, f.quantity) / nullif(f.quantity, 0) as refund_eur
from raw.returns r
inner join core.fact_sales f
    on f.order_id = r.order_id
   and f.line_no = r.line_no;
