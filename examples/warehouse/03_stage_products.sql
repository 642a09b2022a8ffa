-- One row per article. The category path "Home/Kitchen/Knives" is cut into its levels.
create or replace table staging.products as
with latest as (
    select
        p.*,
        row_number() over (partition by p.sku order by p.loaded_at desc) as version_no
    from raw.products p
)
select
    sku,
    product_name,
    coalesce(brand, 'own label')                         as brand,
    split_part(category_path, '/', 1)                    as department,
    split_part(category_path, '/', 2)                    as category,
    nullif(split_part(category_path, '/', 3), '')        as subcategory,
    list_price,
    unit_cost,
    case
        when unit_cost is null or list_price = 0 then null
        else round((list_price - unit_cost) / list_price, 4)
    end                                                  as list_margin,
    discontinued_on is null                              as is_active
from latest
where version_no = 1;
