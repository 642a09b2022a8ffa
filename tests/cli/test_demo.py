"""The demo runs, and its warehouse is analysed without a word on stderr."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_demo_leaves_every_level_and_says_nothing_on_stderr(tmp_path):
    settings = {**os.environ, "BIN": str(Path(sys.executable).parent), "TARGET": str(tmp_path)}
    result = subprocess.run(
        [str(ROOT / "examples" / "demo.sh")], env=settings, capture_output=True, text=True, timeout=120, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {
        *(f"warehouse.{level}.{form}" for level in ("complete", "column", "table") for form in ("json", "xml")),
        "lineage.db",
        "warehouse.column.csv",
    }


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
