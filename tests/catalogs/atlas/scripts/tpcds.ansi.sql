-- Marts over the tables of TPC-DS, in the manner of its queries.
create table mart.store_revenue as
with sold as (
    select ss_store_sk, ss_sold_date_sk, sum(ss_ext_sales_price) as sales, sum(ss_net_profit) as profit
    from store_sales
    group by ss_store_sk, ss_sold_date_sk
), returned as (
    select sr_store_sk, sr_returned_date_sk, sum(sr_return_amt) as returns_amt, sum(sr_net_loss) as loss
    from store_returns
    group by sr_store_sk, sr_returned_date_sk
)
select s.s_store_id, d.d_year, d.d_moy, sum(sold.sales) as sales, sum(returned.returns_amt) as returned,
       sum(sold.profit) - sum(coalesce(returned.loss, 0)) as profit
from sold
join date_dim d on d.d_date_sk = sold.ss_sold_date_sk
join store s on s.s_store_sk = sold.ss_store_sk
left join returned on returned.sr_store_sk = sold.ss_store_sk and returned.sr_returned_date_sk = sold.ss_sold_date_sk
where d.d_year between 1999 and 2001
group by s.s_store_id, d.d_year, d.d_moy;

create table mart.channel_sales as
select 'store' as channel, i.i_item_id, ss.ss_ext_sales_price as price from store_sales ss join item i on i.i_item_sk = ss.ss_item_sk
union all
select 'web', i.i_item_id, ws.ws_ext_sales_price from web_sales ws join item i on i.i_item_sk = ws.ws_item_sk
union all
select 'catalog', i.i_item_id, cs.cs_ext_sales_price from catalog_sales cs join item i on i.i_item_sk = cs.cs_item_sk;

create view mart.top_customers as
select c.c_customer_id, c.c_last_name, ca.ca_state, sum(ss.ss_net_paid) as paid,
       rank() over (partition by ca.ca_state order by sum(ss.ss_net_paid) desc) as place
from customer c
join customer_address ca on ca.ca_address_sk = c.c_current_addr_sk
join store_sales ss on ss.ss_customer_sk = c.c_customer_sk
where exists (select 1 from date_dim d where d.d_date_sk = ss.ss_sold_date_sk and d.d_year = 2001)
group by c.c_customer_id, c.c_last_name, ca.ca_state
having sum(ss.ss_net_paid) > 1000;

insert into mart.inventory_levels (warehouse, item, quantity, checked_on)
select w.w_warehouse_name, i.i_item_id, inv.inv_quantity_on_hand, d.d_date
from inventory inv
join warehouse w on w.w_warehouse_sk = inv.inv_warehouse_sk
join item i on i.i_item_sk = inv.inv_item_sk
join date_dim d on d.d_date_sk = inv.inv_date_sk
where i.i_current_price > 0.99;

merge into mart.promotion_effect t
using (
    select p.p_promo_id, sum(cs.cs_ext_discount_amt) as discount, count(distinct cs.cs_order_number) as orders
    from catalog_sales cs join promotion p on p.p_promo_sk = cs.cs_promo_sk
    group by p.p_promo_id
) s on t.promo_id = s.p_promo_id
when matched then update set discount = s.discount, orders = s.orders
when not matched then insert (promo_id, discount, orders) values (s.p_promo_id, s.discount, s.orders);

update mart.store_revenue set profit = sales - returned where profit is null;

delete from mart.channel_sales where i_item_id in (select i_item_id from item where i_category = 'Obsolete');

create view mart.report as
select r.s_store_id, r.sales, c.paid, case when r.profit > 0 then r.profit else 0 end as gain
from mart.store_revenue r
join mart.top_customers c on c.place = 1;
