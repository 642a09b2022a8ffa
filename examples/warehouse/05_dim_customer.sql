-- Customer dimension with history: a changed customer closes the valid version and opens the next one.
create table if not exists core.dim_customer (
    customer_key    number autoincrement,
    customer_id     number        not null,
    full_name       varchar(201),
    email           varchar(200),
    country_code    char(2),
    birth_year      number(4),
    newsletter_flag char(1),
    segment         varchar(20),
    row_hash        varchar(64),
    valid_from      timestamp_ntz not null,
    valid_to        timestamp_ntz
);

update core.dim_customer d
set valid_to = s.updated_at
from staging.customers s
where d.customer_id = s.customer_id
  and d.valid_to is null
  and d.row_hash <> s.row_hash;

insert into core.dim_customer
    (customer_id, full_name, email, country_code, birth_year, newsletter_flag, row_hash, valid_from, valid_to)
select
    s.customer_id,
    s.first_name || ' ' || s.last_name,
    s.email,
    s.country_code,
    year(s.birth_date),
    s.newsletter_flag,
    s.row_hash,
    s.updated_at,
    null
from staging.customers s
where not exists (
    select 1
    from core.dim_customer d
    where d.customer_id = s.customer_id
      and d.valid_to is null
);
