"""The examples do what they say."""

from __future__ import annotations

import ast
import csv
from pathlib import Path

import yaml
from catalog import Catalog
from expected import expected_edges
from sending import read
from server import OpenMetadataServer
from shop import SCRIPT, add_tables
from workflow import Launcher, Workflow

_EXAMPLES = Path(__file__).parents[2] / "examples" / "openmetadata"
_CONFIG = "/etc/lineage/lineage.yaml"


def test_the_workflow(tmp_path: Path, server: OpenMetadataServer, launcher: Launcher, catalog: Catalog) -> None:
    """The file as it is, but for the place of the settings and the database that nobody has here."""
    service = "shop_postgres"
    add_tables(catalog, service)
    text = (_EXAMPLES / "workflow.yaml").read_text(encoding="utf-8")
    assert _CONFIG in text
    file = tmp_path / "example.yaml"
    file.write_text(text.replace(_CONFIG, str(tmp_path / "lineage.yaml")), encoding="utf-8")
    settings = yaml.safe_load((_EXAMPLES / "lineage.yaml").read_text(encoding="utf-8"))
    settings["sources"] = [source for source in settings["sources"] if "database" not in source]
    (tmp_path / "lineage.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    create, insert = (statement.strip() for statement in SCRIPT.split(";") if statement.strip())
    (tmp_path / "sql").mkdir()
    (tmp_path / "sql" / "daily.sql").write_text(create, encoding="utf-8")
    (tmp_path / "logs").mkdir()
    with (tmp_path / "logs" / "statements-1.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([["queryid", "datname", "query"], ["1", "shop", insert]])
    base = Workflow(tmp_path, server, launcher)
    environment = {**base.environment, "OPENMETADATA_URL": server.url, "OPENMETADATA_TOKEN": server.token()}
    code = launcher.run(["ingest", "-c", str(file)], tmp_path, environment)
    assert code == 0, (tmp_path / "stderr.txt").read_text(encoding="utf-8")
    assert catalog.mappings() == expected_edges(read(SCRIPT), service)


def test_the_dag_is_python() -> None:
    tree = ast.parse((_EXAMPLES / "airflow_dag.py").read_text(encoding="utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert "lineage_to_openmetadata" in names
