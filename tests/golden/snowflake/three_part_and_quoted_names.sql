create view analytics.public."Daily Sales" as
select "Amount" from raw_db.shop.sales
