-- Store dimension. The web shop is store 0, so that every sale has a store.
create or replace table core.dim_store as
select
    store_no,
    store_name,
    city,
    country_code,
    opened_on,
    case
        when floor_area_m2 >= 2500 then 'flagship'
        when floor_area_m2 >= 800 then 'standard'
        else 'city'
    end as store_format
from raw.stores
union all
select 0, 'Web shop', null, null, min(opened_on), 'online'
from raw.stores;
