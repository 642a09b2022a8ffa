create table o as
select id, transform(prices, p -> p * rate) as scaled, filter(tags, t -> t <> 'x') as tags
from items
