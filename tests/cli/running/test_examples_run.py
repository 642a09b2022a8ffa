"""Every example of a job runs as it stands, against servers that answer as the real ones do; those of OpenMetadata: tests/catalogs/openmetadata_plugin."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from collecting_service import Collector, collecting_service
from fake_atlas import FakeAtlas, Request
from typer.testing import CliRunner, Result

from connector.cli import app

ROOT = Path(__file__).parents[3]
HOOK = {
    "raw.orders": ["id", "amount", "day"],
    "core.orders": ["id", "amount", "day"],
    "mart.revenue": ["day", "amount"],
}
"""What Hive's hook has told Atlas before."""
WAREHOUSE = ["examples/warehouse", "-d", "snowflake", "--cluster", "prod", "--default-database", "SHOP"]


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of examples as it stands, in a place that may be written to."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("ATLAS_PASSWORD", "admin")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path / "examples"


@pytest.fixture
def atlas(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeAtlas]:
    with FakeAtlas() as server:
        monkeypatch.setenv("ATLAS_URL", server.url)
        yield server


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with collecting_service() as found:
        monkeypatch.setenv("OPENLINEAGE_URL", found.url)
        yield found


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)])


@pytest.mark.usefixtures("spark")
class TestRuns:
    def test_snowflake_to_atlas(self, examples: Path, atlas: FakeAtlas) -> None:
        result = call("run", "-c", examples / "snowflake-to-atlas" / "lineage.yaml")
        assert result.exit_code == 0, result.output
        assert len([kind for kind, _ in atlas.entities if kind == "sql_process"]) == 2
        assert ("sql_column", "shop.core.orders.total@prod") in {(kind, name.lower()) for kind, name in atlas.entities}
        assert (examples.parent / "build" / "snowflake-to-atlas" / "report.json").exists()

    def test_hive_to_atlas(self, examples: Path, atlas: FakeAtlas) -> None:
        for table, columns in HOOK.items():
            found = [("hive_table", {"qualifiedName": f"{table}@primary"})]
            for position, name in enumerate(columns):
                found.append(("hive_column", {"qualifiedName": f"{table}.{name}@primary", "position": position}))
            for kind, attributes in found:
                entity = {"typeName": kind, "guid": "-1", "attributes": attributes}
                atlas.answer(Request("POST", "/api/atlas/v2/entity/bulk", {"entities": [entity]}, {}))
        result = call("run", "-c", examples / "hive-to-atlas" / "lineage.yaml")
        assert result.exit_code == 0, result.output
        assert len([kind for kind, _ in atlas.entities if kind == "hive_process"]) == 2

    @pytest.mark.parametrize("name", ["atlas", "openlineage"])
    def test_the_warehouse(self, name: str, examples: Path, atlas: FakeAtlas, collector: Collector) -> None:
        result = call("run", "-c", examples / "warehouse" / f"{name}.yaml")
        assert result.exit_code == 0, result.output
        assert atlas.entities if name == "atlas" else collector.events


@pytest.mark.parametrize("name", ["atlas", "openlineage"])
def test_the_warehouse_without_spark(name: str, examples: Path, atlas: FakeAtlas, collector: Collector) -> None:
    result = call("push", name, *WAREHOUSE, "-c", f"examples/warehouse/{name}.yaml")
    assert result.exit_code == 0, result.output
    assert atlas.entities if name == "atlas" else collector.events
    text = (examples / "warehouse" / f"{name}.yaml").read_text(encoding="utf-8")
    assert f"#   lineage-connector push {name} {' '.join(WAREHOUSE)} -c examples/warehouse/{name}.yaml" in text
    again = call("push", name, *WAREHOUSE, "-c", f"examples/warehouse/{name}.yaml")
    assert "Nothing has changed" in again.stderr


def test_there_is_one_for_each_catalog() -> None:
    from connector.catalogs import catalog_names

    assert {file.stem for file in (ROOT / "examples" / "warehouse").glob("*.yaml")} >= {*catalog_names()}
