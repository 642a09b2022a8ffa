insert into stage.customers (customer_id, name, email, country, loaded_at)
select c.id, trim(c.first_name || ' ' || c.last_name), lower(c.email), upper(c.country), now()
from raw.customers c
on conflict (customer_id) do update
set name = excluded.name, email = excluded.email, country = coalesce(excluded.country, stage.customers.country), loaded_at = excluded.loaded_at;

insert into stage.payments (payment_id, account_id, amount, paid_at)
select (p.doc->>'id')::bigint, (p.doc->'account'->>'id')::bigint, (p.doc->>'amount')::numeric, to_timestamp((p.doc->>'ts')::double precision)
from raw.payments p
where p.doc->>'status' = 'settled';

update stage.accounts a
set balance = a.balance + d.delta, last_movement = d.last_at
from (select account_id, sum(amount) as delta, max(paid_at) as last_at from stage.payments where not booked group by account_id) d
where a.account_id = d.account_id;

delete from stage.sessions s
using stage.users u
where u.user_id = s.user_id and u.deleted_at is not null;

with closed as (
  delete from stage.tickets where closed_at < now() - interval '2 years' returning ticket_id, subject, closed_at
)
insert into archive.tickets (ticket_id, subject, closed_at)
select ticket_id, subject, closed_at from closed;

insert into stage.tags (post_id, tag)
select p.post_id, lower(t.tag)
from raw.posts p
cross join lateral unnest(string_to_array(p.tags, ',')) as t (tag)
where p.tags <> '';

create temp table changed_prices as
select distinct on (p.product_id) p.product_id, p.price, p.valid_from
from raw.prices p
order by p.product_id, p.valid_from desc;

insert into mart.price_history (product_id, price, valid_from)
select c.product_id, c.price, c.valid_from
from changed_prices c
where not exists (select 1 from mart.price_history h where h.product_id = c.product_id and h.price = c.price);

update mart.products p
set (name, category) = (select s.name, c.name from stage.products s join stage.categories c on c.category_id = s.category_id where s.product_id = p.product_id)
where p.product_id in (select product_id from stage.products);
