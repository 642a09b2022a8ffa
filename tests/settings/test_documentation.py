"""The reference names every key, and its examples are right."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from connector.settings import GuardSettings, Job, SparkSettings, StoreSettings, load_settings
from connector.settings.models import catalog_models
from connector.sources import DatabaseSource, DbtSource, FilesSource, LogSource
from connector.sources.logs.layout import Columns, Pieces, preset_names

DOCS = Path(__file__).parents[2] / "docs"
CONFIGURATION, SOURCES = DOCS / "configuration.md", DOCS / "sources.md"


@pytest.mark.parametrize(
    ("page", "model"),
    [
        *((CONFIGURATION, model) for model in (Job, StoreSettings, GuardSettings, SparkSettings)),
        *((CONFIGURATION, model) for model in catalog_models().values()),
        *((SOURCES, model) for model in (FilesSource, DbtSource, LogSource, DatabaseSource, Columns, Pieces)),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else value.stem,
)
def test_every_key_is_in_the_reference(page: Path, model: type[BaseModel]) -> None:
    text = page.read_text(encoding="utf-8")
    keys = [field.alias or name for name, field in model.model_fields.items()]
    assert [key for key in keys if f"`{key}`" not in text] == []


def test_every_preset_is_in_the_reference() -> None:
    text = SOURCES.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text.partition("### Presets")[2].partition("###")[0], re.M) == [
        *("snowflake", "bigquery", "redshift_stl", "redshift_sys", "teradata", "sqlserver", "postgresql"),
        *("hive", "impala", "trino", "databricks", "oracle"),
    ]
    assert all(f"`{name}`" in text for name in preset_names())


@pytest.mark.parametrize("page", [CONFIGURATION, SOURCES], ids=lambda page: page.stem)
def test_the_examples_are_right(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("ATLAS_"):
            monkeypatch.delenv(name)
    examples = re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    assert len(examples) >= 2
    for example in examples:
        for variable in re.findall(r"\$\{env:(\w+)", example):
            monkeypatch.setenv(variable, "x")
        file = tmp_path / "lineage.yaml"
        (tmp_path / "secret").write_text("x")
        file.write_text(re.sub(r"\$\{file:[^}]*\}", "${file:secret}", example), encoding="utf-8")
        assert load_settings(file).jobs
