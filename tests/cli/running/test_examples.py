"""The examples are right: settings load, units and manifests are what they should be, programs do what they say."""

from __future__ import annotations

import configparser
import csv
import filecmp
import importlib.util
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from connector.cli import app
from connector.settings import load_settings

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"
SCHEDULE = EXAMPLES / "schedule"


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the examples take from the environment."""
    monkeypatch.setenv("STORE_URL", "postgresql://lineage:s3cret@db.example/lineage")
    monkeypatch.setenv("SHOP_URL", "postgresql://reader:s3cret@db.example/shop")


@pytest.mark.parametrize(
    ("folder", "types", "catalogs"),
    [
        ("quickstart", ["files", "files", "log"], []),
        ("snowflake-to-atlas", ["log", "files"], ["atlas"]),
        ("hive-to-atlas", ["log"], ["atlas"]),
        ("postgresql-to-openmetadata", ["database", "log"], ["openmetadata"]),
    ],
)
def test_settings_load(folder: str, types: list[str], catalogs: list[str]) -> None:
    file = EXAMPLES / folder / "lineage.yaml"
    (job,) = load_settings(file).jobs
    assert [source.type for source in job.sources] == types
    assert [catalog.type for catalog in job.catalogs] == catalogs
    assert "s3cret" not in repr(job)
    schema = re.search(r"\$schema=(\S+)", file.read_text())
    assert schema
    assert (file.parent / schema[1]).resolve() == EXAMPLES / "lineage.schema.json"


def test_hive_has_the_mapping_of_hive() -> None:
    (job,) = load_settings(EXAMPLES / "hive-to-atlas" / "lineage.yaml").jobs
    (catalog,) = job.catalogs
    assert catalog.type == "atlas"
    assert (catalog.mapping, job.cluster) == ("hive", "primary")


def calls(text: str) -> list[list[str]]:
    """The calls of the command in a file, without the command itself."""
    return [found.split() for found in re.findall(r"(?:^|[ /])lineage-connector ((?:run|check) [^\n>]*)", text)]


def test_every_call_is_one_that_the_command_takes() -> None:
    import typer

    command: Any = typer.main.get_command(app)
    for file in ("crontab", "lineage-connector.service"):
        found = calls((SCHEDULE / file).read_text())
        assert found
        for name, *arguments in found:
            command.commands[name].make_context(name, arguments, resilient_parsing=False)


def test_the_crontab_has_lines_of_cron() -> None:
    lines = [line for line in (SCHEDULE / "crontab").read_text().splitlines() if line and not line.startswith("#")]
    entries = [line for line in lines if not re.match(r"\w+=", line)]
    assert len(entries) == 2
    for entry in entries:
        assert re.match(r"[\d*]+ [\d*]+ [\d*]+ [\d*]+ [\d*]+ +lineage-connector run ", entry)
        assert "%" not in entry, "cron takes it for the end of the line"


def unit(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(SCHEDULE / name)
    return parser


def test_the_units_belong_together() -> None:
    service, timer = unit("lineage-connector.service"), unit("lineage-connector.timer")
    assert service["Service"]["Type"] == "oneshot"
    assert service["Service"]["RestartPreventExitStatus"] == "1 2"
    assert timer["Install"]["WantedBy"] == "timers.target"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="this machine has no systemd to ask")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for name in ("lineage-connector.service", "lineage-connector.timer"):
        text = (SCHEDULE / name).read_text().replace("/opt/lineage/bin/lineage-connector", "/bin/true")
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("lineage-connector.service", "lineage-connector.timer")]
    said = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *files], capture_output=True, text=True, timeout=60, check=False
    )
    assert not [line for line in said.stderr.splitlines() if "lineage-connector" in line], said.stderr
    spec = unit("lineage-connector.timer")["Timer"]["OnCalendar"]
    subprocess.run(["systemd-analyze", "calendar", spec], capture_output=True, timeout=60, check=True)


def manifests(name: str) -> dict[str, Any]:
    return {document["kind"]: document for document in yaml.safe_load_all((SCHEDULE / name).read_text())}


def test_the_manifests_fit_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORE_PASSWORD", "from the secret")
    found = manifests("kubernetes.yaml")
    inner = tmp_path / "lineage.yaml"
    inner.write_text(found["ConfigMap"]["data"]["lineage.yaml"])
    (job,) = load_settings(inner).jobs
    pod = found["CronJob"]["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounts.keys() == {volume["name"] for volume in pod["volumes"]}
    assert container["args"] == ["lineage-connector", "run", "-c", f"{mounts['config']}/lineage.yaml"]
    assert str(job.catalogs[0].state).startswith(mounts["data"])
    claim = next(volume for volume in pod["volumes"] if volume["name"] == "data")["persistentVolumeClaim"]["claimName"]
    assert claim == found["PersistentVolumeClaim"]["metadata"]["name"]
    (application,) = manifests("spark-operator.yaml").values()
    template = application["spec"]["template"]
    assert template["mainApplicationFile"].endswith("/lineage_job.py")
    assert {mount["name"] for mount in template["driver"]["volumeMounts"]} == {v["name"] for v in template["volumes"]}


class FailError(Exception):
    pass


class RetryError(Exception):
    pass


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(("code", "raised"), [(0, None), (1, None), (2, FailError), (3, RetryError)])
def test_the_dag_turns_exit_codes_into_what_airflow_should_do(
    version: int, code: int, raised: type[Exception] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: dict[str, Any] = {}
    module = load_dag(version, made, monkeypatch)
    assert made["dag"]["schedule"] == "15 3 * * *"
    assert made["task"]["retries"] == 3
    assert made["called"] == 1, "the DAG is made when the file is read"
    monkeypatch.setattr(module, "COMMAND", [sys.executable, "-c", f"raise SystemExit({code})"])
    if raised is None:
        made["run"]()
    else:
        with pytest.raises(raised):
            made["run"]()


def load_dag(version: int, made: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The DAG's file, read as that version of Airflow would."""

    def dag(**given: Any) -> Any:
        made["dag"] = given
        return lambda function: function

    def task(**given: Any) -> Any:
        made["task"] = given

        def decorate(function: Any) -> Any:
            made["run"] = function
            return lambda: made.update(called=made.get("called", 0) + 1)

        return decorate

    exceptions = ModuleType("airflow.exceptions")
    vars(exceptions).update(AirflowException=RetryError, AirflowFailException=FailError)
    place = ModuleType("airflow.decorators" if version == 2 else "airflow.sdk")
    vars(place).update(dag=dag, task=task)
    for module in (ModuleType("airflow"), exceptions, place):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    if version == 2:
        monkeypatch.setitem(sys.modules, "airflow.sdk", None)
    spec = importlib.util.spec_from_file_location("lineage_dag", SCHEDULE / "airflow_dag.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- the quickstart ---------------------------------------------------------------------------------------------------


def generate(folder: Path, *arguments: str) -> str:
    command = [sys.executable, str(EXAMPLES / "quickstart" / "generate.py"), str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.fixture(scope="module")
def quickstart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quickstart")
    assert "64 scripts and a query log of 20,000 rows" in generate(folder)
    return folder


def test_the_same_seed_gives_the_same_bytes(quickstart: Path, tmp_path: Path) -> None:
    generate(tmp_path)
    files = [str(path.relative_to(quickstart)) for path in quickstart.rglob("*") if path.is_file()]
    assert len(files) == 66
    assert filecmp.cmpfiles(quickstart, tmp_path, files, shallow=False) == (files, [], [])
    generate(tmp_path, "--rows", "500", "--seed", "8")
    assert not filecmp.cmp(quickstart / "query_history.csv", tmp_path / "query_history.csv", shallow=False)


def test_the_log_has_what_makes_logs_hard(quickstart: Path) -> None:
    with (quickstart / "query_history.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 20_000
    kinds = Counter(row["QUERY_TYPE"] for row in rows)
    assert kinds.keys() >= {"SELECT", "INSERT", "MERGE", "COPY", "USE", "UPDATE", "DELETE", "CREATE_VIEW", "CALL"}
    assert 200 < sum(row["EXECUTION_STATUS"] == "FAIL" for row in rows) < 1000
    assert sum("temporary table" in row["QUERY_TEXT"] for row in rows) > 100
    assert len({row["QUERY_TEXT"] for row in rows}) < 8000
    assert [row["START_TIME"] for row in rows] == sorted(row["START_TIME"] for row in rows)


def test_its_scripts_are_analysed_without_a_word(quickstart: Path) -> None:
    from typer.testing import CliRunner

    for folder, dialect in (("warehouse", "snowflake"), ("shop_app", "postgresql")):
        asked = ["analyze", str(quickstart / "sql" / folder), "-d", dialect, "-l", "table", "-f", "csv"]
        result = CliRunner().invoke(app, asked)
        assert (result.exit_code, result.stderr) == (0, "")
