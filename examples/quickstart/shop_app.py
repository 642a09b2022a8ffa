"""The web shop's own database, in PostgreSQL: what its developers have built for themselves."""

from __future__ import annotations

__all__ = ["shop_app_scripts"]


def shop_app_scripts() -> dict[str, str]:
    return {f"{name}.sql": text for name, text in _SCRIPTS.items()}


_SCRIPTS = {
    "01_open_baskets": """\
create or replace view public.open_baskets as
select b.basket_id, b.customer_id, sum(i.quantity * i.unit_price) as value, max(i.added_at) as last_change
from public.baskets b
join public.basket_items i using (basket_id)
where b.ordered_at is null
group by b.basket_id, b.customer_id;
""",
    "02_place_order": """\
create or replace function public.place_order(p_basket bigint) returns bigint
language plpgsql
as $$
declare
    new_order bigint;
begin
    insert into public.orders (customer_id, ordered_at, status, currency)
    select customer_id, now(), 'open', 'EUR' from public.baskets where basket_id = p_basket
    returning order_id into new_order;

    insert into public.order_items (order_id, sku, quantity, unit_price)
    select new_order, sku, quantity, unit_price from public.basket_items where basket_id = p_basket;

    update public.baskets set ordered_at = now() where basket_id = p_basket;
    return new_order;
end
$$;
""",
    "03_bestsellers": """\
create materialized view public.bestsellers as
select i.sku, p.title, count(*) filter (where o.ordered_at > now() - interval '7 days') as sold_last_week
from public.orders o
join public.order_items i on i.order_id = o.order_id
join public.products p on p.sku = i.sku
group by i.sku, p.title
order by 3 desc;
""",
}
