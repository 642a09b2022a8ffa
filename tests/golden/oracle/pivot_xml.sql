create table by_channel as
  select * from (select product, channel, amount, cost from sales)
  pivot xml (sum(amount) as total, max(cost) for channel in (any));
create table by_known as
  select * from (select product, channel, zone, amount from sales)
  pivot xml (sum(amount) for channel in (select distinct id from channels));
create view by_both as
  select x.product, x.channel_zone_xml from (select product, channel, zone, amount from sales)
  pivot xml (sum(amount) for (channel, zone) in (any, any)) x;
