merge into dim_customer d
using staged_customer s on d.customer_id = s.customer_id
when matched and s.op = 'D' then delete
when matched and s.op = 'U' then update set d.name = s.name, d.updated_at = current_timestamp()
when not matched and s.op <> 'D' then insert (customer_id, name) values (s.customer_id, s.name)
