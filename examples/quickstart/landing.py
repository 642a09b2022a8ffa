"""The landing area: what the shop's systems deliver every night, as tables, stages and loads."""

from __future__ import annotations

__all__ = ["SYSTEMS", "landing_scripts"]

SYSTEMS: dict[str, dict[str, str]] = {
    "pos": {
        "stores": "store_no number, name varchar, city varchar, country varchar(2), opened_on date, area_m2 number",
        "receipts": "receipt_id number, store_no number, cashier_no number, sold_at timestamp_ntz, loyalty_no varchar, "
        "currency varchar(3), total number(12,2)",
        "receipt_lines": "receipt_id number, line_no number, sku varchar, quantity number(10,2), unit_price number(12,2), "
        "discount number(12,2), vat_rate number(5,4)",
        "payments": "payment_id number, receipt_id number, method varchar, amount number(12,2), paid_at timestamp_ntz",
    },
    "web": {
        "customers": "customer_id number, loyalty_no varchar, email varchar, first_name varchar, last_name varchar, "
        "birth_date date, country varchar(2), newsletter boolean, changed_at timestamp_ntz",
        "orders": "order_id number, customer_id number, ordered_at timestamp_ntz, status varchar, currency varchar(3), "
        "shipping number(12,2), voucher_code varchar, campaign_code varchar",
        "order_items": "order_id number, item_no number, sku varchar, quantity number, unit_price number(12,2), "
        "discount number(12,2), vat_rate number(5,4)",
        "events": "event_id varchar, received_at timestamp_ntz, payload variant",
    },
    "erp": {
        "products": "sku varchar, title varchar, category_code varchar, supplier_no number, list_price number(12,2), "
        "purchase_price number(12,2), weight_g number, active boolean, changed_at timestamp_ntz",
        "categories": "category_code varchar, parent_code varchar, title varchar",
        "suppliers": "supplier_no number, name varchar, country varchar(2), lead_days number",
        "purchase_orders": "po_no number, supplier_no number, ordered_on date, promised_on date, received_on date",
        "purchase_order_lines": "po_no number, line_no number, sku varchar, quantity number, price number(12,2)",
        "stock_levels": "sku varchar, store_no number, counted_on date, on_hand number, reserved number",
    },
    "finance": {
        "exchange_rates": "rate_date date, currency varchar(3), eur_rate number(18,8)",
        "budgets": "budget_year number, budget_month number, country varchar(2), department varchar, net_eur number(18,2)",
    },
    "marketing": {
        "campaigns": "campaign_code varchar, title varchar, channel varchar, starts_on date, ends_on date",
        "ad_spend": "spend_date date, campaign_code varchar, impressions number, clicks number, cost_eur number(12,2)",
        "newsletter_events": "email varchar, campaign_code varchar, event_type varchar, happened_at timestamp_ntz",
    },
    "service": {
        "returns": "return_id number, order_id number, item_no number, reason varchar, quantity number, refund number(12,2), "
        "returned_on date",
        "tickets": "ticket_id number, customer_id number, order_id number, opened_at timestamp_ntz, "
        "closed_at timestamp_ntz, topic varchar, satisfaction number",
        "reviews": "review_id number, sku varchar, customer_id number, stars number, body varchar, written_at timestamp_ntz",
    },
}
"""Tables by system, with their columns as the landing area declares them."""


def landing_scripts() -> dict[str, str]:
    """Two scripts for each system: its tables, and its nightly load from the stage."""
    scripts = {}
    for number, (system, tables) in enumerate(SYSTEMS.items(), start=1):
        scripts[f"01_landing/{number:02}_{system}_tables.sql"] = _tables(system, tables)
        scripts[f"01_landing/{number + 10}_{system}_load.sql"] = _load(system, tables)
    return scripts


def _tables(system: str, tables: dict[str, str]) -> str:
    parts = [f"-- What {system} delivers, as it comes."]
    for name, columns in tables.items():
        lines = ",\n    ".join(_split(columns))
        parts.append(
            f"create table if not exists landing.{system}_{name} (\n    {lines},\n"
            f"    loaded_from varchar,\n    loaded_at timestamp_ntz default current_timestamp()\n);"
        )
    return "\n\n".join(parts) + "\n"


def _load(system: str, tables: dict[str, str]) -> str:
    location = f"s3://harbour-pine-exchange/{system}/"
    parts = [
        f"-- The nightly delivery of {system}.",
        f"create stage if not exists landing.{system}_stage\n    url = '{location}'\n    storage_integration = exchange;",
    ]
    for name, columns in tables.items():
        names = [column.split()[0] for column in _split(columns)]
        if "variant" in columns:
            chosen = ", ".join(f"$1:{column}::{_type(columns, column)}" for column in names[:-1]) + ", $1"
            form = "type = json"
        else:
            chosen = ", ".join(f"${position}" for position in range(1, len(names) + 1))
            form = "type = csv skip_header = 1 field_optionally_enclosed_by = '\"'"
        parts.append(
            f"copy into landing.{system}_{name} ({', '.join(names)}, loaded_from)\n"
            f"from (select {chosen}, metadata$filename from @landing.{system}_stage/{name}/)\n"
            f"file_format = ({form})\non_error = skip_file;"
        )
    return "\n\n".join(parts) + "\n"


def _split(columns: str) -> list[str]:
    """The declarations of a list; the commas of a type such as number(12,2) have no blank behind them."""
    return columns.split(", ")


def _type(columns: str, name: str) -> str:
    return next(column.split()[1] for column in _split(columns) if column.split()[0] == name)
