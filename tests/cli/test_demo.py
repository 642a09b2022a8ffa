"""The example warehouse is one graph. The demo itself is tested with the scheduled run, in tests/cli/running."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_warehouse_is_one_graph_from_the_landing_tables_to_the_reports(run):
    asked = ("analyze", ROOT / "examples" / "warehouse", "-d", "snowflake", "-f", "json", "-l", "table", "--no-impact")
    edges = [
        (edge["source"]["qualifiedName"].lower(), edge["target"]["qualifiedName"].lower())
        for edge in json.loads(run(*asked, "--default-database", "retail", "--cluster", "demo").stdout)["relations"]
    ]
    assert upstream("retail.mart.monthly_department@demo", edges) >= {
        f"retail.{name}@demo"
        for name in (
            *("raw.orders", "raw.order_lines", "raw.exchange_rates", "raw.products"),
            *("staging.order_lines", "staging.products", "core.fact_sales", "core.dim_product", "mart.v_sales"),
        )
    }
    assert not any("customer_scores" in name for edge in edges for name in edge), "temporary tables are looked through"


def upstream(table: str, edges: list[tuple[str, str]]) -> set[str]:
    found: set[str] = set()
    open_ends = [table]
    while open_ends:
        target = open_ends.pop()
        for source, reached in edges:
            if reached == target and source not in found:
                found.add(source)
                open_ends.append(source)
    return found
