"""The command line against a real Atlas: twice, at the same time, and killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import atlas_server
import pytest
from atlas_reading import atlas_edges, planned_edges
from typer.testing import CliRunner

from connector import analyze
from connector.catalogs.atlas import AtlasSettings
from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.plan import Plan
from connector.catalogs.atlas.statements import make_plan
from connector.catalogs.atlas.validation import checked_mapping
from connector.cli import app

SCRIPT = Path(__file__).parent / "scripts" / "tpcds.ansi.sql"


def command(settings: AtlasSettings, cluster: str, state: Path, *more: str) -> list[str]:
    return [
        *(sys.executable, "-m", "connector", "push", "atlas", str(SCRIPT)),
        *("--cluster", cluster, "--url", settings.url, "--user", atlas_server.USER, "--state", str(state), *more),
    ]


def started(arguments: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def plan_for(cluster: str) -> Plan:
    return make_plan([analyze(SCRIPT.read_text(), cluster=cluster)], checked_mapping("default").mapping, cluster)


def names_in_atlas(client: AtlasClient, plan: Plan) -> Counter[tuple[str, str]]:
    """How often the server has each name of the plan's cluster, by its own index."""
    cluster = plan.source
    found: Counter[tuple[str, str]] = Counter()
    for type_name in sorted({key[0] for key in plan.entities}):
        for entity in client.search(type_name, []):
            name = entity["attributes"]["qualifiedName"]
            if cluster in name:
                found[(type_name, name)] += 1
    return found


def lineage_in_atlas(client: AtlasClient, plan: Plan) -> set[tuple[str, str, str]]:
    keys = [entity.key for entity in plan.entities.values() if entity.kind in ("table", "view", "column")]
    return atlas_edges(client, keys, "INPUT")


def assert_whole(client: AtlasClient, plan: Plan) -> None:
    deadline = time.monotonic() + 15  # the index follows the graph after a moment
    while (found := names_in_atlas(client, plan)) != Counter(list(plan.entities)) and time.monotonic() < deadline:
        time.sleep(0.5)
    assert found == Counter(list(plan.entities))
    wanted = planned_edges(plan, "process") | planned_edges(plan, "column_lineage")
    assert lineage_in_atlas(client, plan) == wanted


def test_two_loads_at_the_same_time(settings: AtlasSettings, client: AtlasClient, cluster: str, tmp_path: Path) -> None:
    runs = [started([*command(settings, cluster, tmp_path / f"{n}.db"), "--json"]) for n in range(2)]
    outputs = [run.communicate(timeout=240) for run in runs]

    assert [run.returncode for run in runs] == [0, 0], outputs
    summaries = [json.loads(output)["total"] for output, _ in outputs]
    plan = plan_for(cluster)
    assert sum(total["created"] for total in summaries) == len(plan.entities)
    assert_whole(client, plan)


def test_killed_in_the_middle_and_run_again(
    settings: AtlasSettings, client: AtlasClient, cluster: str, tmp_path: Path
) -> None:
    state = tmp_path / "state.db"
    config = tmp_path / "lineage.yaml"
    config.write_text(
        f"atlas:\n  url: {settings.url}\n  user: {atlas_server.USER}\n  batch_entities: 10\n  workers: 2\n"
    )
    arguments = [*command(settings, cluster, state), "--config", str(config)]
    plan = plan_for(cluster)
    run = started(arguments)
    deadline = time.monotonic() + 240
    while written(state) < len(plan.entities) // 3 and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert run.returncode == -signal.SIGKILL
    assert 0 < written(state) < len(plan.entities)

    again = subprocess.run([*arguments, "--json"], capture_output=True, text=True, timeout=240, check=False)

    assert again.returncode == 0, again.stderr
    total = json.loads(again.stdout)["total"]
    assert total["created"] < len(plan.entities)
    assert total["created"] + total["updated"] + total["unchanged"] == len(plan.entities)
    assert_whole(client, plan)


def written(state: Path) -> int:
    if not state.exists():
        return 0
    connection = sqlite3.connect(state)
    try:
        return int(connection.execute("select count(*) from written").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


@pytest.fixture
def runner(settings: AtlasSettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CliRunner:
    monkeypatch.setenv("ATLAS_URL", settings.url)
    monkeypatch.setenv("ATLAS_USER", atlas_server.USER)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return CliRunner()


def test_the_second_run_says_that_nothing_has_changed(runner: CliRunner, cluster: str, tmp_path: Path) -> None:
    script = tmp_path / "a.sql"
    script.write_text("insert into o (a) select x from t")
    arguments = ["push", "atlas", str(script), "--dialect", "snowflake", "--cluster", cluster]

    first = runner.invoke(app, arguments)
    second = runner.invoke(app, arguments)

    assert (first.exit_code, second.exit_code) == (0, 0), first.output
    assert "sql_column_lineage" in first.stdout
    assert "Nothing has changed" in second.stderr
    assert "Nothing has changed" not in first.stderr
    assert (tmp_path / "lineage-connector" / "atlas.db").exists()


def test_prune_shows_what_it_removes(runner: CliRunner, cluster: str, tmp_path: Path) -> None:
    script = tmp_path / "a.sql"
    arguments = ["push", "atlas", str(script), "--dialect", "snowflake", "--cluster", cluster]
    script.write_text("insert into o1 select x from t;\ninsert into o2 select x from t;\n")
    runner.invoke(app, arguments)
    script.write_text("insert into o1 select x from t;\n")

    pruned = runner.invoke(app, [*arguments, "--prune"])

    assert pruned.exit_code == 0
    assert pruned.stderr.count("to remove: sql_process") == 1


def test_nothing_is_pruned_when_the_input_was_not_understood(runner: CliRunner, cluster: str, tmp_path: Path) -> None:
    script = tmp_path / "a.sql"
    arguments = ["push", "atlas", str(script), "--dialect", "snowflake", "--cluster", cluster]
    script.write_text("insert into o1 select x from t;\ninsert into o2 select x from t;\n")
    runner.invoke(app, arguments)
    script.write_text("insert into o1 select x from t;\nselect from where;;\n")

    pruned = runner.invoke(app, [*arguments, "--prune", "--json"])

    assert pruned.exit_code == 1
    assert json.loads(pruned.stdout)["total"]["removed"] == 0


def test_typedefs_diff_and_apply(runner: CliRunner) -> None:
    applied = runner.invoke(app, ["typedefs", "apply"])
    compared = runner.invoke(app, ["typedefs", "diff"])
    assert (applied.exit_code, compared.exit_code) == (0, 0)
    assert applied.stdout == compared.stdout, "there was nothing to do"
    assert "types are unchanged" in compared.stdout


def test_a_wrong_password_is_one_sentence_and_exit_code_3(
    runner: CliRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ATLAS_PASSWORD", "hunter2-wrong")
    script = tmp_path / "a.sql"
    script.write_text("insert into o (a) select x from t")
    for arguments in (["typedefs", "diff"], ["push", "atlas", str(script), "-v"]):
        result = runner.invoke(app, arguments)
        assert result.exit_code == 3
        assert "rejected the user name or the password" in result.stderr
        assert "hunter2" not in result.output
        assert "Traceback" not in result.output
    assert os.environ["ATLAS_PASSWORD"] == "hunter2-wrong"
