"""What a command imports: each of them starts without the libraries of the others."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

_CODE = """
import atexit, json, sys
atexit.register(lambda: print("\\n" + json.dumps(sorted(sys.modules)), file=sys.stderr))
from connector.cli import main
sys.argv = ["lineage-connector", *{arguments!r}]
main()
"""


def imported(*arguments: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    called = [sys.executable, "-c", _CODE.format(arguments=arguments)]
    result = subprocess.run(called, capture_output=True, text=True, timeout=120, check=True)
    return set(json.loads(result.stderr.splitlines()[-1]))


def test_the_version_needs_no_parser() -> None:
    found = imported("--version")
    assert not found & {"sqlglot", "pydantic", "sqlalchemy", "yaml", "requests", "pyspark", "rich"}
    assert not [name for name in found if name.startswith(("connector.analysis", "connector.export", "connector.sql"))]


@pytest.mark.parametrize("format", ["text", "json"])
def test_an_analysis_needs_the_parser_alone(load: Path, format: str) -> None:
    found = imported("analyze", str(load), "--format", format)
    assert "sqlglot" in found
    assert not found & {"pydantic", "sqlalchemy", "yaml", "requests", "pyspark", "pyarrow", "charset_normalizer"}
    assert not found & {"connector.pipeline", "connector.compare", "tarfile"}
    assert "connector.analysis.routines.reader" not in found, "the script has no routine"


def test_the_package_has_all_that_it_offers() -> None:
    import connector

    for name in connector.__all__:
        assert getattr(connector, name) is not None
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = connector.nothing_of_the_kind
