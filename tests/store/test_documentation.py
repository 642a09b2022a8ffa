"""The commands of the pages that need PostgreSQL, on a real server."""

from __future__ import annotations

from pathlib import Path

from pages import ROOT, make_workshop, run, run_together


def test_a_store_in_postgresql(postgres: str, tmp_path: Path) -> None:
    page, workshop = ROOT / "docs" / "metadata-team.md", make_workshop(tmp_path)
    start = "lineage-connector load etl/ --dialect snowflake --store postgresql:"
    run_together(page, [start], {"postgresql://lineage@db.example.com/lineage": f"'{postgres}'"}, workshop)
    asked = run(f"lineage-connector upstream mart.revenue --store '{postgres}'", workshop)
    assert "raw.orders" in asked.stdout, asked.stderr
