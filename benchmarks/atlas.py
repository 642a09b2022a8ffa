"""How fast lineage gets into Atlas, beside a plain client, and how fast a run is that has nothing to do.

The workload is a made warehouse: statements that join, filter and aggregate tables of earlier layers. The plain client is
apache-atlas in one thread, with one bulk request for each statement that holds all its entities: tables, columns,
process, column lineage. Both write the same entities, each under cluster names of its own, in turns, after a warm-up of the
server. Without --url a server is assembled and started as the tests do it.

Prints a table, and as last line client_ratio (entities per second against the plain client) and nochange_ratio (first
load against a second one).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from apache_atlas.client.base_client import AtlasClient as PlainClient

from connector import Lineage, analyze
from connector.catalogs.atlas import AtlasSettings, push
from connector.catalogs.atlas.plan import Plan, PlannedEntity
from connector.catalogs.atlas.sending import Letter
from connector.catalogs.atlas.statements import make_plan
from connector.catalogs.atlas.typedefs import apply_changes, find_changes, own_typedefs
from connector.catalogs.atlas.validation import checked_mapping

ROOT = Path(__file__).resolve().parents[1]
USER, PASSWORD = "admin", "admin"


def warehouse(statements: int) -> str:
    """Statements in layers of ten; each reads two tables of the layer before, and every fifth one a calendar."""
    lines = []
    for number in range(statements):
        layer, place = divmod(number, 10)
        left, right = f"l{layer}.t{place}", f"l{layer}.t{(place * 3 + 1) % 10}"
        calendar = number % 5 == 0
        day = "c.day" if calendar else "a.day"
        lines.append(
            f"insert into l{layer + 1}.t{place} (id, day, name, amount, share, note)\n"
            f"select a.id, {day}, upper(a.name), sum(a.amount), sum(a.amount) / max(b.amount), coalesce(a.note, b.note)\n"
            f"from {left} a join {right} b on b.id = a.id{' join core.calendar c on c.day = a.day' if calendar else ''}\n"
            f"where b.share > 0 group by a.id, {day}, upper(a.name), coalesce(a.note, b.note);\n"
        )
    return "".join(lines)


def lineage(statements: int, cluster: str) -> Lineage:
    return analyze(warehouse(statements), dialect="snowflake", cluster=cluster)


def plan_of(statements: int, cluster: str) -> Plan:
    return make_plan([lineage(statements, cluster)], checked_mapping("default").mapping, "benchmark")


def load_plainly(url: str, plan: Plan) -> float:
    """One request for each statement, with everything it needs; returns the seconds."""
    client = PlainClient(url, (USER, PASSWORD))
    requests = [_request(process, plan) for process in plan.entities.values() if process.kind == "process"]
    started = time.perf_counter()
    for entities in requests:
        client.entity.create_entities({"entities": entities})
    return time.perf_counter() - started


def _request(process: PlannedEntity, plan: Plan) -> list[dict[str, Any]]:
    """The entities of one statement, parents first, pointing to each other within the request."""
    wanted: dict[tuple[str, str], PlannedEntity] = {}

    def need(key: tuple[str, str]) -> None:
        if key not in wanted:
            entity = plan.entities[key]
            for other in entity.needs:
                need(other)
            wanted[key] = entity

    need(process.key)
    for child in process.children:
        need(child)
    guids = {key: f"-{number}" for number, key in enumerate(wanted, start=1)}
    entities = []
    for key, entity in wanted.items():
        document = Letter(entity).document(guids[key])
        for name, ends in (("inputs", entity.inputs), ("outputs", entity.outputs)):
            if ends is not None:
                document["attributes"][name] = [{"typeName": end[0], "guid": guids[end]} for end in ends]
        for name, other in entity.references.items():
            document["relationshipAttributes"][name] = {"typeName": other[0], "guid": guids[other]}
        entities.append(document)
    return entities


def load(url: str, statements: int, cluster: str, state: Path) -> float:
    settings = AtlasSettings(url=url, user=USER, state=state)
    what = lineage(statements, cluster)
    started = time.perf_counter()
    summary = push([what], settings, source=cluster)
    if summary.failures:
        raise SystemExit(f"refused: {summary.failures[0]}")
    return time.perf_counter() - started


@contextmanager
def server(url: str | None) -> Iterator[str]:
    """The given server, or one of our own for the time of the benchmark."""
    if url:
        yield url
        return
    sys.path.insert(0, str(ROOT))
    from tests.catalogs.atlas import atlas_server

    home = atlas_server.CACHE / "benchmark"
    own = atlas_server.start(home, os.getpid(), lambda text: print(f"[atlas] {text}", file=sys.stderr))
    try:
        yield own.url
    finally:
        own.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--statements", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--url", help="a running Atlas; user admin, password from ATLAS_PASSWORD or admin")
    arguments = parser.parse_args()
    os.environ.setdefault("ATLAS_PASSWORD", PASSWORD)
    stamp = f"{int(time.time()):x}"
    with server(arguments.url) as url, tempfile.TemporaryDirectory() as folder:
        with AtlasSettings(url=url, user=USER, state=Path(folder) / "s.db").connect() as client:
            apply_changes(client, find_changes([document for _, document in own_typedefs()], client.typedefs()))
        for number in range(2):  # what the server runs has to be compiled before it is timed
            load_plainly(url, plan_of(15, f"{stamp}-warm{number}"))
            load(url, 15, f"{stamp}-hot{number}", Path(folder) / "warm.db")
        plain = ours = again = 0.0
        entities = 0
        for number in range(arguments.rounds):
            state = Path(folder) / f"{number}.db"
            entities += len(plan_of(arguments.statements, "x").entities)
            for who in ("plain", "ours") if number % 2 == 0 else ("ours", "plain"):
                if who == "plain":
                    plain += load_plainly(url, plan_of(arguments.statements, f"{stamp}-p{number}"))
                else:
                    ours += load(url, arguments.statements, f"{stamp}-o{number}", state)
                    again += load(url, arguments.statements, f"{stamp}-o{number}", state)
    rows = [("plain client", plain), ("connector", ours), ("connector, no change", again)]
    print(f"{entities:,} entities of {arguments.rounds * arguments.statements} statements")
    print(f"{'':<24}{'seconds':>10}{'entities/s':>12}")
    for name, seconds in rows:
        print(f"{name:<24}{seconds:>10.2f}{entities / seconds:>12,.0f}")
    figures = {"client_ratio": round(plain / ours, 2), "nochange_ratio": round(ours / again, 1)}
    print(json.dumps({**figures, "entities_per_second": round(entities / ours, 1)}))


if __name__ == "__main__":
    main()
