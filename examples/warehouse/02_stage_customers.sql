-- The newest record of each customer, with the spelling of names and addresses settled.
create or replace table staging.customers as
select
    c.customer_id,
    initcap(trim(c.first_name))                          as first_name,
    initcap(trim(c.last_name))                           as last_name,
    lower(trim(c.email))                                 as email,
    coalesce(upper(c.country_code), '??')                as country_code,
    c.birth_date,
    iff(c.newsletter, 'Y', 'N')                          as newsletter_flag,
    sha2(concat_ws('|', c.first_name, c.last_name, c.email, c.country_code), 256) as row_hash,
    c.updated_at
from raw.customers c
where c.customer_id is not null
qualify row_number() over (partition by c.customer_id order by c.updated_at desc, c.loaded_at desc) = 1;
