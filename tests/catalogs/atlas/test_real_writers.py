"""Several writers on a real Atlas that share nothing but the server: taking turns, taking over, and what went wrong before."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import atlas_server
import pytest
from apache_atlas.model.instance import AtlasEntity
from atlas_reading import atlas_edges, planned_edges

from connector import analyze
from connector.catalogs.atlas import AtlasSettings, push
from connector.catalogs.atlas import lease as lease_module
from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.lease import WriteQueue
from connector.catalogs.atlas.plan import Plan
from connector.catalogs.atlas.statements import make_plan
from connector.catalogs.atlas.validation import checked_mapping
from connector.errors import UnavailableError

STATEMENTS = "".join(
    f"insert into mart.t{n} (a, b) select x, sum(y) from raw.s{n % 7} where z > {n} group by x;\n" for n in range(60)
)


def started(settings: AtlasSettings, cluster: str, home: Path, host: str) -> subprocess.Popen[str]:
    """A run with folders, temporary ones included, and an address of its own."""
    (home / "tmp").mkdir(parents=True)
    (home / "etl").mkdir()
    (home / "etl" / "all.sql").write_text(STATEMENTS, encoding="utf-8")
    url = f"http://{host}:{urlsplit(settings.url).port}"
    command = [
        *(sys.executable, "-m", "connector", "push", "atlas", str(home / "etl"), "--dialect", "snowflake"),
        *("--cluster", cluster, "--url", url, "--user", atlas_server.USER, "--json"),
    ]
    environment = {
        **os.environ,
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "XDG_STATE_HOME": str(home / "state"),
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    return subprocess.Popen(
        command, cwd=home, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def plan_for(cluster: str) -> Plan:
    lineage = analyze(STATEMENTS, dialect="snowflake", cluster=cluster)
    return make_plan([lineage], checked_mapping("default").mapping, cluster)


def names_in_atlas(client: AtlasClient, plan: Plan) -> Counter[tuple[str, str]]:
    return Counter(
        (type_name, name)
        for type_name in sorted({key[0] for key in plan.entities})
        for entity in client.search(type_name, [])
        if plan.source in (name := entity.get_attribute("qualifiedName"))
    )


def eventually(question: Callable[[], bool], seconds: float = 30) -> bool:
    """The search follows the graph after a moment."""
    deadline = time.monotonic() + seconds
    while not question() and time.monotonic() < deadline:
        time.sleep(0.5)
    return question()


def test_two_machines_at_once_and_a_second_folder(
    settings: AtlasSettings, client: AtlasClient, cluster: str, tmp_path: Path
) -> None:
    runs = [started(settings, cluster, tmp_path / host, host) for host in ("127.0.0.1", "localhost")]
    outputs = [run.communicate(timeout=500) for run in runs]

    assert [run.returncode for run in runs] == [0, 0], outputs
    plan = plan_for(cluster)
    assert sum(json.loads(output)["total"]["created"] for output, _ in outputs) == len(plan.entities)
    assert eventually(lambda: names_in_atlas(client, plan) == Counter(list(plan.entities)))
    ends = [entity.key for entity in plan.entities.values() if entity.kind in ("table", "column")]
    wanted = planned_edges(plan, "process") | planned_edges(plan, "column_lineage")
    assert atlas_edges(client, ends, "INPUT") == wanted

    third = started(settings, cluster, tmp_path / "third", "127.0.0.1")
    output, said = third.communicate(timeout=300)
    assert third.returncode == 0, said
    total = json.loads(output)["total"]
    assert (total["created"], total["updated"], total["removed"]) == (0, 0, 0)


def test_a_run_that_died_holds_nobody_up(settings: AtlasSettings, client: AtlasClient) -> None:
    code = (
        "import sys, time\n"
        "from connector.catalogs.atlas import AtlasSettings\n"
        "from connector.catalogs.atlas.lease import WriteQueue\n"
        "with AtlasSettings(url=sys.argv[1], user=sys.argv[2]).connect() as client, WriteQueue(client).hold():\n"
        "    print('held', flush=True)\n"
        "    time.sleep(600)\n"
    )
    command = [sys.executable, "-c", code, settings.url, atlas_server.USER]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    assert WriteQueue(client).look() is None
    with pytest.raises(UnavailableError, match="gave up waiting"), WriteQueue(client, wait=1).hold():
        pass

    holder.send_signal(signal.SIGKILL)
    holder.wait()
    holder.stdout.close()

    with WriteQueue(client, wait=30).hold() as held:
        assert not held.undisturbed_since(frozenset())
    assert WriteQueue(client).look() is not None


def test_a_silent_machine_loses_its_turn(
    settings: AtlasSettings, client: AtlasClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of another machine only the time of its last sign of life is known."""
    monkeypatch.setattr(lease_module, "_is_gone", lambda holder: False)
    monkeypatch.setattr(lease_module, "_RENEWAL", 600.0)
    with settings.connect() as silent:
        first = WriteQueue(silent).hold()
        held = first.__enter__()
        monkeypatch.setattr(lease_module, "_LIFETIME", 3.0)
        with WriteQueue(client, wait=60).hold():
            time.sleep(2.5)
            with pytest.raises(UnavailableError, match="another run has taken over"):
                held.check()
        first.__exit__(None, None, None)


def test_writers_take_turns(settings: AtlasSettings) -> None:
    inside: list[str] = []
    seen: list[int] = []

    def write(name: str) -> None:
        with settings.connect() as own, WriteQueue(own).hold():
            inside.append(name)
            time.sleep(0.2)
            seen.append(len(inside))
            inside.remove(name)

    threads = [threading.Thread(target=write, args=(f"w{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert seen == [1, 1, 1, 1]


def test_names_that_exist_twice_are_told_and_mended(settings: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    push([analyze("insert into o (a) select x from other", "snowflake", cluster=cluster)], settings, source="first")
    name, twins = _twins(settings, client, cluster)
    (found,) = client.read("sql_table", [name])
    unseen = next(guid for guid in twins if guid != found.guid)
    theirs = _read_by_somebody(client, unseen, cluster)
    lineage = analyze(
        f"insert into o (a) select x from {name.split('.')[2].split('@')[0]}", "snowflake", cluster=cluster
    )
    push([lineage], settings, source=cluster)

    told = push([lineage], settings, source=cluster, verify=True)
    assert any("more than once" in note and name in note for note in told.notes)

    mended = push([lineage], settings.model_copy(update={"repair": True}), source=cluster)

    assert mended.counts["sql_table"].removed == len(twins) - 1
    assert not mended.failures
    column = name.replace("@", ".x@")
    for key in (("sql_table", name), ("sql_column", column)):
        assert eventually(lambda key=key: _count(client, key) == 1), key  # type: ignore[misc]
    target = f"default.default.o@{cluster}"
    assert name in {source for source, _, _ in atlas_edges(client, [("sql_table", target)], "INPUT")}
    edges = {(source, end) for source, _, end in atlas_edges(client, [("sql_table", theirs)], "INPUT")}
    assert edges == {(name, theirs)}, "what others have written is moved to the one that stays"
    again = push([lineage], settings, source=cluster, verify=True)
    assert not again.changed
    assert not any("more than once" in note for note in again.notes)


def _count(client: AtlasClient, key: tuple[str, str]) -> int:
    return sum(entity.get_attribute("qualifiedName") == key[1] for entity in client.search(key[0], []))


def _entity(kind: str, number: str, name: str, **references: str) -> AtlasEntity:
    return AtlasEntity(
        {
            "typeName": kind,
            "guid": number,
            "attributes": {"qualifiedName": name, "name": name},
            "relationshipAttributes": {key: {"guid": value} for key, value in references.items()},
        }
    )


def _twins(settings: AtlasSettings, client: AtlasClient, cluster: str) -> tuple[str, list[str]]:
    """A table that clients without leases have created at the same moment, with a column each; its name and its guids.

    Whether two requests overlap is up to the server. Each client therefore attaches its table to a schema of its own:
    with a common one, Atlas rolls most of the overlapping requests back because of the schema, not of the name.
    """
    (database,) = client.read("sql_database", [f"default@{cluster}"])
    created = client.save(
        [_entity("sql_schema", f"-{n + 1}", f"default.s{n}@{cluster}", database=database.guid) for n in range(4)]
    )
    schemas = [str(created.get_assigned_guid(f"-{n + 1}")) for n in range(4)]
    for attempt in range(100):
        name = f"default.default.t{attempt}@{cluster}"
        twins = _created_at_once(settings, name, schemas)
        if len(twins) > 1:
            assert eventually(lambda: _count(client, ("sql_table", name)) == len(twins))  # noqa: B023 - asked at once
            return name, sorted(twins)
    raise AssertionError("Atlas keeps names unique now: the leases are not needed any more")


def _created_at_once(settings: AtlasSettings, name: str, schemas: list[str]) -> set[str]:
    """Guids of the table `name` after one client for each schema has created it; the same guid where Atlas noticed."""
    ready = threading.Barrier(len(schemas))
    guids: set[str] = set()

    def create(schema: str) -> None:
        table = _entity("sql_table", "-1", name, namespace=schema)
        column = _entity("sql_column", "-2", name.replace("@", ".x@"), table="-1")
        with settings.connect() as own:
            own.typedefs()
            ready.wait()
            with suppress(UnavailableError):  # the server rolls some of them back
                guids.add(str(own.save([table, column], attempts=1).get_assigned_guid("-1")))

    threads = [threading.Thread(target=create, args=(schema,)) for schema in schemas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return guids


def _read_by_somebody(client: AtlasClient, guid: str, cluster: str) -> str:
    """A process of somebody else's that reads a table; returns the name of its target."""
    (schema,) = client.read("sql_schema", [f"default.default@{cluster}"])
    target = f"default.default.theirs@{cluster}"
    process = _entity("sql_process", "-1", f"p.theirs@{cluster}")
    source = {"guid": guid, "typeName": "sql_table", "relationshipType": "dataset_process_inputs"}
    process.attributes["inputs"] = [source]
    process.attributes["outputs"] = [{"guid": "-2", "typeName": "sql_table"}]
    client.save([_entity("sql_table", "-2", target, namespace=schema.guid), process])
    return target
