"""Each format of the samples as a file a person can read; the page, which is a program, has tests of its own.

``LINEAGE_UPDATE=1 pytest tests/export`` writes what comes out; the difference is for a person to judge.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from samples import SAMPLES

from connector.export import FORMATS, ExportOptions

HERE = Path(__file__).parent / "goldens"
ENDINGS = {"json": "json", "xml": "xml", "csv": "csv", "openlineage": "ndjson", "mermaid": "mmd", "dot": "dot"}
CASES = [
    (sample, name, level)
    for sample in ("hiredate_view", "hiredate_view_updated", "rename_table", "where_clause", "insert_overwrite")
    for name, exporter in FORMATS.items()
    for level in exporter.levels
    if name != "html" and (name != "json" or sample == "hiredate_view")
]


@pytest.mark.parametrize(("sample", "name", "level"), CASES)
def test_golden(sample: str, name: str, level: str) -> None:
    text = FORMATS[name].render(SAMPLES[sample](), level, ExportOptions())
    golden = HERE / sample / f"{level}.{ENDINGS.get(name, name)}"
    if os.environ.get("LINEAGE_UPDATE") == "1":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
