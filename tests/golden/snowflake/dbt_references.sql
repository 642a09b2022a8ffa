select o.id, c.name
from {{ ref('stg_orders') }} o
left join {{ source('crm', 'customers') }} c on c.id = o.customer_id
where o.loaded_at > '{{ var("start") }}'
