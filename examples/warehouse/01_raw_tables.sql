-- Landing tables. The loader appends what the shops and the web shop send, unchanged.
create table if not exists raw.customers (
    customer_id     number        not null,
    first_name      varchar(100),
    last_name       varchar(100),
    email           varchar(200),
    country_code    char(2),
    birth_date      date,
    newsletter      boolean,
    updated_at      timestamp_ntz not null,
    loaded_at       timestamp_ntz not null
);

create table if not exists raw.products (
    sku             varchar(40)   not null,
    product_name    varchar(200),
    brand           varchar(100),
    category_path   varchar(400),
    list_price      number(12, 2),
    unit_cost       number(12, 2),
    discontinued_on date,
    loaded_at       timestamp_ntz not null
);

create table if not exists raw.stores (
    store_no        number        not null,
    store_name      varchar(100),
    city            varchar(100),
    country_code    char(2),
    opened_on       date,
    floor_area_m2   number(8, 1)
);

create table if not exists raw.orders (
    order_id        number        not null,
    customer_id     number,
    store_no        number,
    channel         varchar(20),
    currency        char(3),
    order_ts        timestamp_ntz,
    status          varchar(20),
    loaded_at       timestamp_ntz not null
);

create table if not exists raw.order_lines (
    order_id        number        not null,
    line_no         number        not null,
    sku             varchar(40),
    quantity        number(10, 2),
    unit_price      number(12, 2),
    discount_pct    number(5, 2)
);

create table if not exists raw.returns (
    return_id       number        not null,
    order_id        number,
    line_no         number,
    quantity        number(10, 2),
    reason_code     varchar(10),
    returned_on     date
);

create table if not exists raw.exchange_rates (
    currency        char(3)       not null,
    rate_date       date          not null,
    rate_to_eur     number(18, 8)
);
