create or replace table main.gold.latest as
select id, v from main.silver.t
qualify row_number() over (partition by id order by ts desc) = 1
