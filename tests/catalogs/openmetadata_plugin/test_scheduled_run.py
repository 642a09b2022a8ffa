"""The scheduled run on Spark, in the connector's own environment, writes the same edges to the same server."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import yaml
from catalog import Catalog
from expected import expected_edges
from sending import read
from server import OpenMetadataServer
from shop import DAILY, MAILS, ORDERS, SCRIPT, SERVICE, add_tables

_COMMAND = Path(__file__).parents[3] / ".venv" / "bin" / "lineage-connector"


def _run(folder: Path, server: OpenMetadataServer) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "OPENMETADATA_TOKEN": server.token(),
        **{name: os.environ[name] for name in ("JAVA_HOME",) if name in os.environ},
    }
    return subprocess.run(
        [str(_COMMAND), "run", "-c", "lineage.yaml"],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def _job(folder: Path, server: OpenMetadataServer, **catalog: str) -> None:
    """The settings and the scripts of a job."""
    (folder / "sql").mkdir()
    (folder / "sql" / "script.sql").write_text(SCRIPT, encoding="utf-8")
    job = {
        "name": "nightly",
        "dialect": "postgres",
        "default_database": "shop",
        "default_schema": "public",
        "sources": [{"files": "sql/"}],
        "store": "lineage.db",
        "spark": {"master": "local[1]", "partitions": 1, "conf": {"spark.ui.enabled": "false"}},
        "catalogs": [
            {"type": "openmetadata", "url": server.url, "service": SERVICE, "state": "openmetadata.db", **catalog}
        ],
    }
    (folder / "lineage.yaml").write_text(yaml.safe_dump(job), encoding="utf-8")


def test_equals_the_model_and_writes_once(tmp_path: Path, server: OpenMetadataServer, catalog: Catalog) -> None:
    add_tables(catalog)
    _job(tmp_path, server)
    first = _run(tmp_path, server)
    assert first.returncode == 0, first.stderr
    assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)
    edge = catalog.edges()[ORDERS, DAILY]
    assert "create table mart.daily" in edge["sqlQuery"]
    assert "secret" not in edge["sqlQuery"]
    assert any("sum(o.amount * o.quantity)" in entry.get("function", "") for entry in edge["columnsLineage"])

    server.log.clear()
    second = _run(tmp_path, server)
    assert second.returncode == 0, second.stderr
    assert list(map(str, server.log.writes())) == []


def test_later_runs_look_again(tmp_path: Path, server: OpenMetadataServer, catalog: Catalog) -> None:
    """No new statement: a table that is ingested later gets its edges, and an edge that somebody removed comes back."""
    add_tables(catalog)
    catalog.delete(catalog.find("table", DAILY), hard=True)
    _job(tmp_path, server, missing="warn")
    first = _run(tmp_path, server)
    assert first.returncode == 0, first.stderr
    assert f"missing: table {DAILY}, wanted by {ORDERS} -> {DAILY}, " in first.stderr
    assert "openmetadata lacks" in first.stdout
    assert DAILY in first.stdout
    assert catalog.edges().keys() == {(ORDERS, MAILS)}

    add_tables(catalog)
    ingested = _run(tmp_path, server)
    assert ingested.returncode == 0, ingested.stderr
    assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)

    catalog.remove_edges()
    mended = _run(tmp_path, server)
    assert mended.returncode == 0, mended.stderr
    assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)
    assert catalog.shown() == catalog.edges().keys()
