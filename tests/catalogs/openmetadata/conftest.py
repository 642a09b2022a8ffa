"""Common to the tests: no environment of a developer, and plans made of SQL."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from connector import analyze
from connector.catalogs.openmetadata.mapping import Mapping, load_mapping
from connector.catalogs.openmetadata.plan import Plan
from connector.catalogs.openmetadata.planning import make_plan
from connector.common.resources import resource_folder

MakePlan = Callable[..., Plan]


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("URL", "TOKEN", "TOKEN_FILE", "CA_FILE"):
        monkeypatch.delenv(f"OPENMETADATA_{name}", raising=False)


@pytest.fixture
def mapped(tmp_path: Path) -> Callable[..., Mapping]:
    """The shipped mapping with some keys changed."""

    def make(**changes: Any) -> Mapping:
        data = yaml.safe_load((resource_folder("mappings") / "openmetadata.yaml").read_text(encoding="utf-8"))
        file = tmp_path / "mapping.yaml"
        file.write_text(yaml.safe_dump({**data, **changes}), encoding="utf-8")
        return load_mapping(file)[0]

    return make


@pytest.fixture
def planned(mapped: Callable[..., Mapping]) -> MakePlan:
    """The plan of a script under the shipped mapping, with some of its keys changed."""

    def make(sql: str, dialect: str = "snowflake", *, analysis: dict[str, Any] | None = None, **changes: Any) -> Plan:
        lineage = analyze(sql, dialect=dialect, **(analysis or {}))
        return make_plan([lineage], mapped(**changes), "nightly", "wh")

    return make
