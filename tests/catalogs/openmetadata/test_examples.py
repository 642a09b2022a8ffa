"""The example workflow fits the plugin, and the DAG beside it runs it and believes its exit code."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import yaml

from connector.catalogs.openmetadata.plugin_options import ServerLogin, read_options

EXAMPLES = Path(__file__).parents[3] / "examples" / "openmetadata"


def _workflow() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((EXAMPLES / "workflow.yaml").read_text(encoding="utf-8"))
    return found


def test_the_options_of_the_workflow() -> None:
    source = _workflow()["source"]
    config = source["serviceConnection"]["config"]
    assert config["sourcePythonClass"] == "connector.openmetadata.LineageSource"
    options = {**config["connectionOptions"], "config": str(EXAMPLES / "lineage.yaml")}
    assert all(isinstance(value, str) for value in options.values())
    read = read_options(options, ServerLogin("http://om:8585/api", "token"), source["serviceName"])
    assert read.job.name == options["job"]
    assert [each.type for each in read.job.sources] == ["files", "log"]
    assert (read.catalog.service, read.source, read.server_columns, read.prune) == (
        "shop_postgres",
        "shop",
        True,
        False,
    )


def test_the_commented_options_are_right_too() -> None:
    lines = (EXAMPLES / "workflow.yaml").read_text(encoding="utf-8").splitlines()
    start = next(at for at, line in enumerate(lines) if line.strip() == "# dialect: postgresql")
    end = next(at for at, line in enumerate(lines) if "options:" in line and at > start)
    block = [line.replace("        # ", "", 1) for line in lines[start : end + 1]]
    text = "\n".join(line for line in block if not line.startswith("sources: /srv"))
    options = yaml.safe_load(text.replace("${env:SHOP_PASSWORD}", "x"))
    read = read_options(options, ServerLogin("http://om:8585/api", "token"), "shop_postgres")
    assert [each.type for each in read.job.sources] == ["files", "log", "database"]
    assert read.job.options.query_identity == "canonical"


@pytest.fixture
def dag(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The DAG with as much of Airflow as it uses."""

    def decorator(*_: Any, **__: Any) -> Callable[[Any], Any]:
        return lambda function: function

    sdk, exceptions = ModuleType("airflow.sdk"), ModuleType("airflow.exceptions")
    variables = {"openmetadata_url": "http://om/api", "openmetadata_token": "secret"}
    vars(sdk).update(
        task=decorator, dag=lambda **_: lambda _: lambda: None, Variable=SimpleNamespace(get=variables.get)
    )
    vars(exceptions).update(AirflowException=RuntimeError)
    for name, module in {
        "airflow": ModuleType("airflow"),
        "airflow.sdk": sdk,
        "airflow.exceptions": exceptions,
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    spec = importlib.util.spec_from_file_location("openmetadata_dag", EXAMPLES / "airflow_dag.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.mark.parametrize("code", [0, 1])
def test_the_dag_believes_the_exit_code(dag: ModuleType, code: int, caplog: pytest.LogCaptureFixture) -> None:
    assert dag.COMMAND[1:] == ["ingest", "-c", str(EXAMPLES / "workflow.yaml")]
    program = f"import os, sys; print(os.environ['OPENMETADATA_URL'], len(os.environ['OPENMETADATA_TOKEN'])); sys.exit({code})"
    dag.COMMAND = [sys.executable, "-c", program]
    caplog.set_level("INFO")
    if code:
        with pytest.raises(RuntimeError, match="was not written"):
            dag.write_lineage()
    else:
        dag.write_lineage()
    assert "http://om/api 6" in caplog.text
    assert "secret" not in caplog.text
