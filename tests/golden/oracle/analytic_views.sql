create or replace attribute dimension time_dim
  dimension type time
  using sh.times as t
  attributes (year_id classification caption value 'Year', t.month_name as month, quarter_id)
  level month level type months key month;
create or replace hierarchy time_hier using time_dim (month child of quarter);
create or replace analytic view sales_av
  classification caption value 'Sales'
  using sh.sales_fact as f
  dimension by (time_dim as d key month_id references month hierarchies (time_hier default),
                shops key (f.shop, zone) references (shop_id, zone_id) hierarchies (shop_hier))
  measures (sales fact amount aggregate by sum, units fact f.units, cost,
            growth as (lag_diff(sales) over (hierarchy time_hier offset 1)),
            margin as (sales - cost))
  default measure sales;
insert into report (m, g) select margin, growth from sales_av;
insert into months (m) select month from time_hier;
