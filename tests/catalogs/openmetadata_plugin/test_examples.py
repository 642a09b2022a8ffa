"""The examples do what they say."""

from __future__ import annotations

import ast
import csv
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from catalog import Catalog
from expected import expected_edges
from sending import read
from server import OpenMetadataServer
from shop import add_tables
from workflow import Launcher, Workflow

from connector.api import analyze_scripts
from connector.lineage import Lineage
from connector.sql.encoding import read_scripts

_ROOT = Path(__file__).parents[3]
_COMMAND = _ROOT / ".venv" / "bin" / "lineage-connector"
_EXAMPLES = _ROOT / "examples" / "openmetadata"
_SERVICE = "shop_postgres"
_WAREHOUSE = ["examples/warehouse", "-d", "snowflake", "--default-database", "SHOP"]


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """The folder of examples as it stands, in a place that may be written to."""
    shutil.copytree(_ROOT / "examples", tmp_path / "examples")
    return tmp_path / "examples"


def _call(folder: Path, server: OpenMetadataServer, *arguments: str, **more: str) -> str:
    """The command of the connector's own environment, which has neither OpenMetadata's package nor anything else of this one."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "OPENMETADATA_URL": server.url,
        "OPENMETADATA_TOKEN": server.token(),
        **{name: os.environ[name] for name in ("JAVA_HOME",) if name in os.environ},
        **more,
    }
    called = subprocess.run(
        [str(_COMMAND), *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert called.returncode == 0, called.stderr
    return called.stderr


def test_the_workflow(
    tmp_path: Path, examples: Path, server: OpenMetadataServer, launcher: Launcher, catalog: Catalog
) -> None:
    add_tables(catalog, _SERVICE)
    folder = examples / "openmetadata"
    base = Workflow(tmp_path, server, launcher)
    environment = {**base.environment, "OPENMETADATA_URL": server.url, "OPENMETADATA_TOKEN": server.token()}
    code = launcher.run(["ingest", "-c", str(folder / "workflow.yaml")], folder, environment)
    assert code == 0, (folder / "stderr.txt").read_text(encoding="utf-8")
    assert catalog.mappings() == expected_edges(_read(folder), _SERVICE)
    assert catalog.shown() == catalog.edges().keys()


def test_the_same_as_a_scheduled_run(
    tmp_path: Path, examples: Path, server: OpenMetadataServer, catalog: Catalog
) -> None:
    add_tables(catalog, _SERVICE)
    _call(tmp_path, server, "run", "-c", "examples/openmetadata/lineage.yaml")
    assert catalog.mappings() == expected_edges(_read(examples / "openmetadata"), _SERVICE)


def _read(folder: Path) -> Lineage:
    with (folder / "logs" / "statements-1.csv").open(newline="", encoding="utf-8") as stream:
        logged = [row["query"] for row in csv.DictReader(stream)]
    return read(";".join([(folder / "sql" / "daily.sql").read_text(encoding="utf-8").strip().rstrip(";"), *logged]))


@pytest.mark.parametrize("way", ["push", "run"])
def test_the_warehouse(way: str, tmp_path: Path, examples: Path, server: OpenMetadataServer, catalog: Catalog) -> None:
    """Nothing is there beforehand: the mapping has what is missing created."""
    config = "examples/warehouse/openmetadata.yaml"
    arguments = ["push", "openmetadata", *_WAREHOUSE, "-c", config] if way == "push" else ["run", "-c", config]
    _call(tmp_path, server, *arguments)
    edges = {(source.upper(), target.upper()): edge for (source, target), edge in catalog.edges().items()}
    lineage = analyze_scripts(read_scripts([examples / "warehouse"]), "snowflake", default_database="SHOP")
    assert edges.keys() == {(source.upper(), target.upper()) for source, target in expected_edges(lineage, "WAREHOUSE")}
    assert catalog.shown() == catalog.edges().keys()
    assert f"#   lineage-connector push openmetadata {' '.join(_WAREHOUSE)} -c {config}" in (
        examples / "warehouse" / "openmetadata.yaml"
    ).read_text(encoding="utf-8")
    server.log.clear()
    told = _call(tmp_path, server, *arguments)
    assert [str(each) for each in server.log.writes()] == []
    assert way == "run" or "Nothing has changed" in told


def test_postgresql_to_openmetadata(
    tmp_path: Path, examples: Path, server: OpenMetadataServer, catalog: Catalog
) -> None:
    """A real PostgreSQL, with a table in the place of the statistics that only a configured server has."""
    from postgres_server import NoPostgresError, find_binaries, running_server

    for name, columns in {"orders": ["id", "amount"], "big_orders": ["id", "amount"], "paid": ["id"]}.items():
        catalog.table(_SERVICE, "shop", "public", name, columns)
    script = (
        "create table orders (id int, amount int); create table paid (id int);"
        "create view big_orders as select id, amount from orders where amount > 100;"
        "create table pg_stat_statements (queryid bigint, dbid oid, userid oid, query text);"
        "insert into pg_stat_statements select 1, oid, 10, 'insert into paid (id) select id from big_orders'"
        " from pg_database where datname = current_database();"
    )
    try:
        binaries = find_binaries()
    except NoPostgresError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    with running_server() as url:
        for database, sql in (("postgres", "drop database if exists shop"), ("postgres", "create database shop")):
            _psql(binaries, f"{url}/{database}", sql)
        _psql(binaries, f"{url}/shop", script)
        try:
            place = f"{url}/shop".replace("postgresql://", "postgresql+psycopg://")
            config = "examples/postgresql-to-openmetadata/lineage.yaml"
            _call(tmp_path, server, "run", "-c", config, SHOP_URL=place)
        finally:
            _psql(binaries, f"{url}/postgres", "drop database shop")
    names = [f"{_SERVICE}.shop.public.{name}" for name in ("orders", "big_orders", "paid")]
    assert catalog.edges().keys() == {(names[0], names[1]), (names[1], names[2])}


def _psql(binaries: Path, url: str, sql: str) -> None:
    subprocess.run([str(binaries / "psql"), "-q", "-v", "ON_ERROR_STOP=1", url, "-c", sql], check=True, timeout=60)


def test_the_dag_is_python() -> None:
    tree = ast.parse((_EXAMPLES / "airflow_dag.py").read_text(encoding="utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert "lineage_to_openmetadata" in names
