create stage lake.ext url = 's3://lake/in/' file_format = (type = csv);
copy into lake.orders from @lake.ext/orders file_format = (type = csv);
copy into @lake.ext/out from (select id, amount from lake.orders);
copy into 's3://lake/unload/' from lake.orders;
insert into "Mixed Case"."odd.name" ("a@b", "c.d") select id, amount from lake.orders;
