insert into churned (customer_id)
select customer_id from sales_2023
except
select customer_id from sales_2024
intersect
select customer_id from web_sales_2024
