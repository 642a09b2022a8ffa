"""What the analysis costs beside the bare parse, from one run on one core.

    python benchmarks/analyse.py [SET …] [--rounds N] [--profile] [--no-growth] [--no-memory]

A SET is a folder with one folder of SQL files for each dialect, or a ``.jsonl`` file whose lines hold ``sql`` and
``dialect``; without one, the statements beside this file are measured. "Ours" is the analysis into the complete model
and the column and the table level derived from it, as the store, the pipeline and the catalogs use them; the JSON objects
of all three levels come on top and are shown beside it. Times are CPU times, the best of the rounds.
After the sets come how fast the rows of a query log are identified beside bare tokenizing, how much ten times the size
costs, and the memory that a large script needs. The last line of stdout is one JSON object with all of these figures, those
of the first set among them.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import logging
import pstats
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread
from time import process_time
from typing import NamedTuple

import sqlglot
from sqlglot.dialects.dialect import Dialect

from connector import analyze
from connector.model.levels import column_level, table_level
from connector.pipeline.identify import Question, identify
from connector.sql.dialects import get_dialect

OWN_SET = Path(__file__).with_name("statements")
LEVELS = ("complete", "column", "table")
_END = re.compile(r";[ \t]*(?:\n|$)")


class Case(NamedTuple):
    """A statement and the dialect it is written in."""

    sql: str
    dialect: str


@dataclass(frozen=True, slots=True)
class Result:
    """Seconds of CPU of a set, in total and for each statement."""

    parse: float
    ours: float
    as_json: float
    each: list[float]

    @property
    def ratio(self) -> float:
        return self.ours / self.parse

    def percentile(self, share: float) -> float:
        """Milliseconds that this share of the statements stays below."""
        ordered = sorted(self.each)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def read_set(path: Path) -> list[Case]:
    if path.is_dir():
        return [
            Case(text.strip(), file.parent.name)
            for file in sorted(path.glob("*/*.sql"))
            for text in _END.split(file.read_text(encoding="utf-8"))
            if text.strip()
        ]
    with path.open(encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines if line.strip()]
    return [Case(document["sql"], document.get("dialect") or "ansi") for document in documents]


@cache
def bare_dialect(name: str) -> type[Dialect]:
    """The grammar of sqlglot itself that a dialect of ours rests on."""
    ours = type(get_dialect(name).sqlglot)
    return next(base for base in ours.__mro__ if base.__module__.startswith("sqlglot."))


def parse(case: Case) -> None:
    sqlglot.parse(case.sql, dialect=bare_dialect(case.dialect))


def ours(case: Case) -> None:
    model = analyze(case.sql, dialect=case.dialect).model
    edges = column_level(model)
    table_level(model, edges=edges)


def ours_as_json(case: Case) -> None:
    lineage = analyze(case.sql, dialect=case.dialect)
    for level in LEVELS:
        lineage.to_dict(level=level)


def parses(case: Case) -> bool:
    """Whether bare sqlglot reads the statement; what it cannot read has no parse to be compared with."""
    try:
        parse(case)
    except sqlglot.errors.SqlglotError:
        return False
    return True


def timed(work: Callable[[Case], None], case: Case) -> float:
    started = process_time()
    work(case)
    return process_time() - started


def measure(cases: Sequence[Case], rounds: int) -> Result:
    """Both sides in turn, so that a slow moment of the machine meets both."""
    best_parse = [float("inf")] * len(cases)
    best_ours = [float("inf")] * len(cases)
    best_json = [float("inf")] * len(cases)
    for _ in range(rounds):
        best_parse = [min(best, timed(parse, case)) for best, case in zip(best_parse, cases, strict=True)]
        best_ours = [min(best, timed(ours, case)) for best, case in zip(best_ours, cases, strict=True)]
        best_json = [min(best, timed(ours_as_json, case)) for best, case in zip(best_json, cases, strict=True)]
    return Result(sum(best_parse), sum(best_ours), sum(best_json), best_ours)


def or_terms(size: int) -> str:
    terms = " or ".join(f"t.c{number % 50} = {number}" for number in range(size))
    return f"insert into o (a) select t.a from t where {terms}"


def columns(size: int) -> str:
    items = ", ".join(f"coalesce(t.c{number}, s.c{number}) as c{number}" for number in range(size))
    return f"create table o as select {items} from t join s on s.id = t.id"


def ctes(size: int) -> str:
    steps = ["c0 as (select t.id, t.v from t where t.v > 0)"]
    steps += [
        f"c{number} as (select id, v + {number} as v from c{number - 1} where v < {number})"
        for number in range(1, size)
    ]
    return f"with {', '.join(steps)} insert into o (id, v) select id, v from c{size - 1}"


def union_branches(size: int) -> str:
    branches = " union all ".join(f"select a, b from t{number} where d = {number}" for number in range(size))
    return f"insert into o (a, b) {branches}"


def nested(size: int) -> str:
    query = "select a, b from t"
    for number in range(size):
        query = f"select a, b from ({query}) x{number} where a > {number}"
    return f"insert into o (a, b) {query}"


def writes(size: int) -> str:
    """Statements that all write the same table."""
    return ";\n".join(f"insert into o (a, b) select a, b from t where c = {number}" for number in range(size))


def temporary_reads(size: int) -> str:
    """A temporary table that many statements read."""
    reads = (f"insert into o{number} (a, b) select a, b from w where c = {number}" for number in range(size))
    return ";\n".join(["create temporary table w as select a, b, c from t", *reads])


def temporary_chain(size: int) -> str:
    """Temporary tables, each filled from the one before."""
    steps = (
        f"create temporary table w{number} as select a, b + {number} as b from w{number - 1}"
        for number in range(1, size)
    )
    first, last = "create temporary table w0 as select a, b from t", f"insert into o select a, b from w{size - 1}"
    return ";\n".join([first, *steps, last])


def self_joins(size: int) -> str:
    """A temporary table that is joined with itself."""
    joins = " ".join(f"join w w{number} on w{number}.b = w{number - 1}.c" for number in range(1, size))
    return f"create temporary table w as select a, b, c from t;\ninsert into o (a) select w0.a from w w0 {joins}"


def script_lines(size: int) -> str:
    return "\n".join(
        f"insert into m{number % 50}.o{number % 700} (a, b)\nselect x.a, sum(y.b)\nfrom s.t{number % 900} x\n"
        f"join s.u{number % 300} y on x.k = y.k\ngroup by x.a;"
        for number in range(size // 5)
    )


GROWTH: dict[str, tuple[Callable[[int], str], int]] = {
    "growth_or_terms": (or_terms, 1_000),
    "growth_columns": (columns, 100),
    "growth_ctes": (ctes, 50),
    "growth_unions": (union_branches, 500),
    "growth_nesting": (nested, 10),
    "growth_writes": (writes, 1_600),
    "growth_temporary_reads": (temporary_reads, 400),
    "growth_temporary_chain": (temporary_chain, 100),
    "growth_self_joins": (self_joins, 10),
    "growth_script_lines": (script_lines, 2_000),
}

DEEP = 100
"""Levels of nesting at which the slowest grammar is compared with the others."""
SLOWEST_GRAMMAR = "bigquery"

REPEATS = 20
"""How often each statement comes in the log, with other literals each time."""
_LITERAL = re.compile(r"(?<![\w.])\d+(?![\w.])")

SCRIPT_BYTES = 5_000_000
_PEAK = """
import resource, sys
from connector import analyze
text = sys.stdin.read()
analyze(text, dialect="ansi")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def log_of(cases: Sequence[Case]) -> list[Case]:
    """The statements as a query log has them: again and again, with other numbers and dates."""
    return [
        Case(_LITERAL.sub(lambda match, day=day: str((int(match[0]) + day) % 10_000), case.sql), case.dialect)
        for day in range(REPEATS)
        for case in cases
    ]


def identity_share(cases: Sequence[Case], rounds: int) -> tuple[float, float]:
    """Seconds for tokenizing the log, and for giving each of its rows the identity of its shape."""
    log = log_of(cases)
    tokenizers = {case.dialect: get_dialect(case.dialect).sqlglot.tokenizer() for case in log}
    bare = ours = float("inf")
    for _ in range(rounds):
        started = process_time()
        for case in log:
            tokenizers[case.dialect].tokenize(case.sql)
        bare = min(bare, process_time() - started)
        # What is known of earlier rows is known to the thread: a new one begins with the first row.
        thread = Thread(target=lambda: [identify(Question(case.sql, case.dialect, "shape")) for case in log])
        started = process_time()
        thread.start()
        thread.join()
        ours = min(ours, process_time() - started)
    return bare, ours


def peak_mb(text: str) -> float:
    """The memory that the analysis of a script needs at its peak, Python and the parser included."""
    run = subprocess.run([sys.executable, "-c", _PEAK], input=text, capture_output=True, text=True, check=True)
    return float(run.stdout)


def large_scripts(cases: Sequence[Case]) -> dict[str, str]:
    """Two scripts of the same size: many small statements, and the statements of a set again and again."""
    lines = script_lines(2_000)
    texts = ";\n".join(case.sql for case in cases if case.dialect == "ansi") + ";\n"
    return {
        "small statements": script_lines(2_000 * SCRIPT_BYTES // len(lines)),
        "statements of the set": texts * (SCRIPT_BYTES // len(texts)),
    }


def growth(work: Callable[[Case], None], small: Case, large: Case, rounds: int) -> tuple[float, float]:
    """Seconds of the small and of the large statement."""
    small_time = min(timed(work, small) for _ in range(max(rounds, 3)))
    large_time = min(timed(work, large) for _ in range(min(rounds, 3)))
    return small_time, large_time


def write(line: str = "") -> None:
    sys.stdout.write(line + "\n")


def report(name: str, cases: Sequence[Case], result: Result) -> None:
    write(f"{name}: {len(cases)} statements, {len({case.dialect for case in cases})} dialects")
    write(f"  bare parse        {1000 * result.parse:9.1f} ms   {len(cases) / result.parse:8.0f} statements/s")
    write(f"  ours, all levels  {1000 * result.ours:9.1f} ms   {len(cases) / result.ours:8.0f} statements/s")
    write(f"  ratio             {result.ratio:9.2f}")
    write(f"  … and as JSON     {1000 * result.as_json:9.1f} ms   ratio {result.as_json / result.parse:.2f}")
    shares = "   ".join(f"p{round(100 * share)} {result.percentile(share):.2f}" for share in (0.5, 0.95, 0.99))
    write(f"  ms per statement  {shares}   max {1000 * max(result.each):.2f}")
    write()


def profile(cases: Iterable[Case]) -> None:
    profiler = cProfile.Profile()
    profiler.enable()
    for case in cases:
        ours(case)
    profiler.disable()
    pstats.Stats(profiler, stream=sys.stdout).sort_stats("tottime").print_stats(40)


def measure_growth(figures: dict[str, float], rounds: int) -> None:
    write("ten times the size                 small ms    large ms   cost   cost of the bare parse")
    for name, (make, size) in GROWTH.items():
        one, ten = Case(make(size), "ansi"), Case(make(size * 10), "ansi")
        small, large = growth(ours, one, ten, rounds)
        bare_small, bare_large = growth(parse, one, ten, rounds)
        figures[name] = round(large / small, 2)
        label = f"{name.removeprefix('growth_').replace('_', ' ')} {size:,} → {size * 10:,}"
        costs = f"{large / small:6.1f} {bare_large / bare_small:8.1f}"
        write(f"{label:<34} {1000 * small:9.1f} {1000 * large:11.1f} {costs}")
    deep = nested(DEEP)
    plain, slow = (
        min(timed(ours, Case(deep, name)) for _ in range(max(rounds, 3))) for name in ("ansi", SLOWEST_GRAMMAR)
    )
    figures["deep_grammar_ratio"] = round(slow / plain, 2)
    write(f"nesting {DEEP} deep, {SLOWEST_GRAMMAR:<15} {1000 * slow:9.1f}, {slow / plain:.1f} times as much as ansi")
    write()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("sets", nargs="*", type=Path, default=[OWN_SET], help="folders or .jsonl files")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of which the best counts")
    parser.add_argument(
        "--profile", action="store_true", help="print where our part of the time goes, and nothing else"
    )
    parser.add_argument("--no-growth", action="store_true", help="leave out the statements that grow")
    parser.add_argument("--no-memory", action="store_true", help="leave out the memory of a large script")
    arguments = parser.parse_args()
    logging.getLogger("sqlglot").setLevel(logging.ERROR)

    figures: dict[str, float] = {}
    for path in arguments.sets:
        every = read_set(path)
        cases = [case for case in every if parses(case)]
        for case in cases:
            ours_as_json(case)
        # What is alive now stays alive: the collector need not look at it again in the middle of a measurement.
        gc.freeze()
        if arguments.profile:
            profile(cases)
            continue
        if len(cases) < len(every):
            write(f"{path.name}: {len(every) - len(cases)} statements left out that bare sqlglot cannot parse")
        result = measure(cases, arguments.rounds)
        report(path.name, cases, result)
        figures.setdefault("parse_ratio", round(result.ratio, 3))
        figures.setdefault("json_ratio", round(result.as_json / result.parse, 3))
        figures.setdefault("p99_ms", round(result.percentile(0.99), 3))
    if arguments.profile:
        return
    cases = read_set(arguments.sets[0])
    bare, ours_time = identity_share(cases, arguments.rounds)
    rows = REPEATS * len(cases)
    figures["identity_share"] = round(bare / ours_time, 3)
    write(f"log of {rows:,} rows, {len(cases)} shapes")
    write(f"  tokenized         {rows / bare:9.0f} rows/s")
    write(f"  identified        {rows / ours_time:9.0f} rows/s   {bare / ours_time:.2f} of the tokenizer's speed")
    write()
    if not arguments.no_growth:
        measure_growth(figures, arguments.rounds)
    if not arguments.no_memory:
        peaks = {name: peak_mb(text) for name, text in large_scripts(read_set(OWN_SET)).items()}
        figures["script_peak_mb"] = round(max(peaks.values()), 1)
        write(f"script of {SCRIPT_BYTES / 1e6:g} MB")
        for name, peak in peaks.items():
            write(f"  {name:<24} {peak:7.0f} MB at its peak")
        write()
    write(json.dumps(figures))


if __name__ == "__main__":
    main()
