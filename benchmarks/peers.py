"""How fast other lineage parsers read the same statements, each in an environment of its own, in one run.

    python benchmarks/peers.py [SET …] [--only NAME …]

A SET is what `benchmarks/analyse.py` takes; without one, the statements beside this file are read. Each peer is installed
with uv into `.cache/peers` when it is first asked for, which needs a package index. Every statement is read once for warming
up and then timed on its own, in CPU seconds, the best of some rounds, all peers in the same minutes. A statement counts as failed where the peer
raises, or says itself that it could not read it; its time counts all the same. The ratio is the time beside that of a bare
parse with compiled sqlglot. What the peers find is not compared here: some give tables and columns, some less.
The last line of stdout is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = ROOT / ".cache" / "peers"

ROUNDS = 5
ENOUGH = 5.0
"""Seconds of CPU after which no further round is needed."""

Reader = Callable[[str, str], bool]
"""Reads a statement in a dialect of ours, and says whether that went well."""


class Peer(NamedTuple):
    """Another project, as it is installed and named."""

    distribution: str
    requirement: str


PEERS = {
    "sqllineage": Peer("sqllineage", "sqllineage"),
    "collate-sqllineage": Peer("collate-sqllineage", "collate-sqllineage"),
    "datahub": Peer("acryl-datahub", "acryl-datahub[sql-parser]"),
    "openlineage-sql": Peer("openlineage-sql", "openlineage-sql"),
}
_SQLFLUFF = {"mssql": "tsql", "postgresql": "postgres"}
_PLATFORMS = {"postgresql": "postgres", "sparksql": "spark"}
_OPENLINEAGE = {"postgresql": "postgres", "sparksql": "spark", "ansi": "ansi"}


# --- inside of an environment -------------------------------------------------------------------------------------


def _sqllineage() -> Reader:
    from sqllineage.runner import LineageRunner  # type: ignore[import-not-found]

    return _runner(LineageRunner)


def _collate() -> Reader:
    from collate_sqllineage.runner import LineageRunner  # type: ignore[import-not-found]

    return _runner(LineageRunner)


def _runner(runner: Any) -> Reader:
    def read(sql: str, dialect: str) -> bool:
        found = runner(sql, dialect=_SQLFLUFF.get(dialect, dialect))
        found.source_tables  # noqa: B018 - the runner works when it is asked
        found.get_column_lineage()
        return True

    return read


def _datahub() -> Reader:
    from datahub.sql_parsing.schema_resolver import SchemaResolver  # type: ignore[import-not-found]
    from datahub.sql_parsing.sqlglot_lineage import sqlglot_lineage  # type: ignore[import-not-found]

    resolvers: dict[str, Any] = {}

    def read(sql: str, dialect: str) -> bool:
        platform = _PLATFORMS.get(dialect, dialect)
        resolver = resolvers.get(platform)
        if resolver is None:
            resolver = resolvers[platform] = SchemaResolver(platform=platform)
        debug = sqlglot_lineage(sql, schema_resolver=resolver).debug_info
        return debug.table_error is None and debug.column_error is None

    return read


def _openlineage() -> Reader:
    from openlineage_sql import parse  # type: ignore[import-not-found]

    def read(sql: str, dialect: str) -> bool:
        found = parse([sql], dialect=_OPENLINEAGE.get(dialect, dialect))
        return found is not None and not found.errors

    return read


def _bare() -> Reader:
    import sqlglot

    from connector.sql.dialects import get_dialect

    def read(sql: str, dialect: str) -> bool:
        grammar = type(get_dialect(dialect).sqlglot)
        sqlglot.parse(sql, dialect=next(base for base in grammar.__mro__ if base.__module__.startswith("sqlglot.")))
        return True

    return read


def _ours() -> Reader:
    from connector import analyze
    from connector.model.levels import column_level, table_level

    def read(sql: str, dialect: str) -> bool:
        model = analyze(sql, dialect=dialect).model
        table_level(model, edges=column_level(model))
        return not any(problem.type in ("SyntaxError", "AnalyzeError") for problem in model.problems)

    return read


READERS: dict[str, Callable[[], Reader]] = {
    "bare parse": _bare,
    "lineage-connector": _ours,
    "sqllineage": _sqllineage,
    "collate-sqllineage": _collate,
    "datahub": _datahub,
    "openlineage-sql": _openlineage,
}


def work(name: str) -> None:
    """Reads the statements on stdin, and writes the figures to stdout."""
    logging.disable(logging.CRITICAL)
    cases = [json.loads(line) for line in sys.stdin]
    read = READERS[name]()

    def attempt(sql: str, dialect: str) -> bool:
        try:
            return read(sql, dialect)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # noqa: BLE001 - what the peer raises is what is counted, a panic in Rust included
            return False

    best = [float("inf")] * len(cases)
    failed = 0
    for number in range(ROUNDS + 1):
        for at, (sql, dialect) in enumerate(cases):
            # Some peers keep their last answers, by the text: each round brings another one.
            text = sql + "\n" * (number + 1)
            started = process_time()
            good = attempt(text, dialect)
            if number:
                best[at] = min(best[at], process_time() - started)
                failed += not good and number == 1
        if number and sum(best) > ENOUGH:
            break
    seconds = sum(best)
    release = version(PEERS[name].distribution) if name in PEERS else ""
    # Peers may print what they please: the figures are the last line.
    sys.stdout.write("\n" + json.dumps({"seconds": seconds, "failed": failed, "version": release}) + "\n")


# --- from outside -------------------------------------------------------------------------------------------------


def environment(peer: Peer) -> Path:
    """The Python of a peer's environment, which is made where it is missing."""
    folder = ENVIRONMENTS / peer.distribution
    python = folder / "bin" / "python"
    ready = folder / ".ready"
    if not ready.exists():
        uv = shutil.which("uv", path=os.pathsep.join([str(ROOT / ".cache" / "tools" / "bin"), os.environ["PATH"]]))
        if uv is None:
            raise SystemExit("uv is missing: run `make .cache/tools/bin/uv` first")
        cache = {**os.environ, "UV_CACHE_DIR": os.environ.get("UV_CACHE_DIR", str(ROOT / ".cache" / "uv"))}
        subprocess.run(
            [uv, "venv", "-q", "--allow-existing", "--python", sys.executable, folder], check=True, env=cache
        )
        subprocess.run([uv, "pip", "install", "-q", "--python", python, peer.requirement], check=True, env=cache)
        ready.touch()
    return python


def measure(name: str, lines: str) -> dict[str, Any]:
    python = environment(PEERS[name]) if name in PEERS else Path(sys.executable)
    run = subprocess.run(
        [python, __file__, "--work", name], input=lines, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    if run.returncode:
        raise SystemExit(f"{name} ended with exit code {run.returncode}: run `{python} {__file__} --work '{name}'`")
    found: dict[str, Any] = json.loads(run.stdout.strip().splitlines()[-1])
    return found


def write(line: str = "") -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("sets", nargs="*", type=Path, help="folders or .jsonl files")
    parser.add_argument("--only", nargs="+", choices=list(PEERS), default=list(PEERS), help="peers to run")
    parser.add_argument("--work", choices=list(READERS), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work(arguments.work)
        return
    from analyse import OWN_SET, read_set  # type: ignore[import-not-found]

    cases = [case for path in arguments.sets or [OWN_SET] for case in read_set(path)]
    lines = "".join(json.dumps([case.sql, case.dialect]) + "\n" for case in cases)
    write(f"{len(cases)} statements, {len({case.dialect for case in cases})} dialects")
    write()
    write("|                    | version   | statements per CPU second | failed | ratio to the bare parse |")
    write("|--------------------|-----------|--------------------------:|-------:|------------------------:|")
    figures: dict[str, Any] = {"statements": len(cases)}
    bare = 0.0
    for name in ("bare parse", "lineage-connector", *arguments.only):
        found = measure(name, lines)
        bare = bare or found["seconds"]
        ratio = found["seconds"] / bare
        rate = len(cases) / found["seconds"]
        write(f"| {name:<18} | {found['version']:<9} | {rate:>25,.0f} | {found['failed']:>6} | {ratio:>23.1f} |")
        figures[name] = {"per_second": round(rate, 1), "failed": found["failed"], "ratio": round(ratio, 2)}
    write()
    write(json.dumps(figures))


if __name__ == "__main__":
    main()
