create view v as
select src:customer.name::string as customer, src:items[0].price::float as first_price, src['id'] as id
from raw_json
