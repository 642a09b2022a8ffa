-- Product dimension, overwritten in place; articles that are no longer delivered are kept but inactive.
create table if not exists core.dim_product (
    product_key     number autoincrement,
    sku             varchar(40)   not null,
    product_name    varchar(200),
    brand           varchar(100),
    department      varchar(100),
    category        varchar(100),
    list_price      number(12, 2),
    unit_cost       number(12, 2),
    is_active       boolean,
    changed_at      timestamp_ntz
);

merge into core.dim_product t
using staging.products s
    on t.sku = s.sku
when matched and (t.list_price <> s.list_price or t.unit_cost <> s.unit_cost or t.is_active <> s.is_active) then
    update set
        product_name = s.product_name,
        brand        = s.brand,
        department   = s.department,
        category     = s.category,
        list_price   = s.list_price,
        unit_cost    = s.unit_cost,
        is_active    = s.is_active,
        changed_at   = current_timestamp()
when not matched then
    insert (sku, product_name, brand, department, category, list_price, unit_cost, is_active, changed_at)
    values (s.sku, s.product_name, s.brand, s.department, s.category, s.list_price, s.unit_cost, s.is_active,
            current_timestamp());
