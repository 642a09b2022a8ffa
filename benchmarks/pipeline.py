"""The pipeline on Spark against the same functions in one thread.

Two logs: one of few shapes that come back with other literals, and one of statements that are all distinct. For each: the
CPU time of the plain loop, that of Spark with all its processes, and what the start of Spark costs by itself. The plain loop
calls what Spark's workers call, the guard included; beside it stands the loop without a guard, which any statement could
bring down. It fills the store; the tables that Spark's workers write as well it does not. Then a run on one core and one on
two, a second run with nothing new, and the memory of the Python workers. Short runs are measured several times, and the
best of each counts.

    python benchmarks/pipeline.py [--rows 100000] [--shapes 2000] [--distinct 100000] [--rounds 3]

With --scale, each size runs once on Spark and once in the plain loop: rows per second, CPU seconds of every stage, memory of driver
and workers, how large the tables and the store become, and the overhead over the loop. docs/scale.md is made of these figures.

    python benchmarks/pipeline.py --scale 10000:200 100000:2000 1000000:20000
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from connector.pipeline.plain import analyse_plain, collect_units
from connector.pipeline.reading import context_of
from connector.pipeline.run_report import STAGES
from connector.settings.models import Job
from connector.sources import read_plain
from connector.store import Store

START = datetime(2024, 1, 1, tzinfo=timezone.utc)
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] == "--child":
        _child(sys.argv[2], json.loads(sys.argv[3]))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the log that repeats itself")
    parser.add_argument("--shapes", type=int, default=2000, help="shapes in it")
    parser.add_argument("--distinct", type=int, help="statements of the log that does not; as many as rows by default")
    parser.add_argument("--rounds", type=int, default=3, help="how often the start and the short log are measured")
    parser.add_argument("--cores", type=int, default=min(os.cpu_count() or 1, 2), help="cores of the second run")
    parser.add_argument(
        "--scale", nargs="+", metavar="ROWS:SHAPES", help="measure logs of these sizes, and nothing else"
    )
    asked = parser.parse_args()
    if asked.scale:
        _spark("start", {}, asked.cores)
        start = _best(max(asked.rounds, 1), lambda _: _spark("start", {}, asked.cores))["cpu"]
        for size in asked.scale:
            rows, _, shapes = size.partition(":")
            with tempfile.TemporaryDirectory() as folder:
                figures = _scale(Path(folder), int(rows), int(shapes or rows), asked.cores, start)
            print(json.dumps(figures), flush=True)
        return
    distinct = asked.rows if asked.distinct is None else asked.distinct
    shapes = max(min(asked.shapes, asked.rows), 1)
    with tempfile.TemporaryDirectory() as folder:
        figures = _measure(Path(folder), asked.rows, shapes, distinct, asked.cores, max(asked.rounds, 1))
    print(json.dumps(figures))


def _measure(folder: Path, rows: int, shapes: int, distinct: int, cores: int, rounds: int) -> dict[str, Any]:
    repeating = _write_log(folder / "repeating.parquet", (_statement(at % shapes, at) for at in range(rows)))
    different = _write_log(folder / "different.parquet", (_statement(at, at) for at in range(distinct)))
    _spark("start", {}, 1)  # the first start after an installation compiles Python's modules, which no later one does
    start = _best(rounds, lambda _: _spark("start", {}, 1))
    print(f"Spark's start          {start['cpu']:8.1f} s CPU {start['seconds']:8.1f} s")
    figures: dict[str, Any] = {"rows": rows, "shapes": shapes, "distinct": distinct, "start_cpu": start["cpu"]}
    overheads = []
    for name, log, count in (("repeating", repeating, rows), ("different", different, distinct)):
        times = rounds if name == "repeating" else 1
        order = {"log": str(log)}
        bare = _best(times, lambda _, order=order: _run_child("bare", order))
        plain = _best(times, lambda _, order=order: _run_child("plain", order))
        one = _best(
            times,
            lambda at, order=order, name=name: _spark("run", {**order, "tables": str(folder / f"{name}-1-{at}")}, 1),
        )
        overhead, over_bare = ((one["cpu"] - start["cpu"]) / loop["cpu"] - 1 for loop in (plain, bare))
        overheads.append(overhead)
        print(f"{name}: {count:,} rows, {one['units']:,} units")
        print(f"  loop without a guard {bare['cpu']:8.1f} s CPU {bare['seconds']:8.1f} s")
        print(f"  plain loop           {plain['cpu']:8.1f} s CPU {plain['seconds']:8.1f} s")
        print(
            f"  Spark, 1 core        {one['cpu']:8.1f} s CPU {one['seconds']:8.1f} s   {count / one['seconds']:10,.0f} rows/s"
        )
        print(
            f"  overhead             {overhead:8.1%}   ({over_bare:.1%} over the loop without a guard; Spark's start not counted)"
        )
        figures |= {
            f"{name}_plain_cpu": plain["cpu"],
            f"{name}_spark_cpu": one["cpu"],
            f"{name}_seconds": one["seconds"],
            f"{name}_rows_per_second": round(count / one["seconds"], 1),
            f"{name}_bare_cpu": bare["cpu"],
            f"{name}_overhead": round(overhead, 3),
            f"{name}_overhead_over_bare": round(over_bare, 3),
        }
        if name == "different":
            two = _spark("run", {"log": str(log), "tables": str(folder / f"{name}-2")}, cores)
            again = _spark("run", {"log": str(log), "tables": str(folder / f"{name}-2")}, cores)
            figures |= {
                "seconds_1_core": one["seconds"],
                f"seconds_{cores}_cores": two["seconds"],
                "speedup_2_cores": round(one["seconds"] / two["seconds"], 2),
                "rerun_ratio": round(again["seconds"] / two["seconds"], 4),
                "worker_mb": round(max(one["worker_mb"], two["worker_mb"]), 1),
            }
            print(
                f"  Spark, {cores} cores       {two['cpu']:8.1f} s CPU {two['seconds']:8.1f} s   speed-up {figures['speedup_2_cores']}"
            )
            print(
                f"  again, nothing new   {again['cpu']:8.1f} s CPU {again['seconds']:8.1f} s   {figures['rerun_ratio']:.1%} of the first"
            )
            print(f"  largest Python worker{figures['worker_mb']:8.0f} MB")
    figures["overhead"] = round(max(overheads), 3)
    return figures


def _scale(folder: Path, rows: int, shapes: int, cores: int, start: float) -> dict[str, Any]:
    log = _write_log(folder / "log.parquet", (_statement(at % shapes, at) for at in range(rows)))
    order = {"log": str(log), "tables": str(folder / "tables")}
    first = _spark("run", order, cores)
    again = _spark("run", order, cores)
    loop = _run_child("plain", order)
    store = folder / "tables" / "lineage.db"
    sizes = {each.parent.name: 0 for each in (folder / "tables").glob("*/_delta_log")}
    for file in (folder / "tables").glob("*/**/*"):
        if file.is_file() and file.relative_to(folder / "tables").parts[0] in sizes:
            sizes[file.relative_to(folder / "tables").parts[0]] += file.stat().st_size
    stages = first["stage_cpu"]
    work = sum(stages[STAGES[name]] for name in ("identify", "analyse", "commit"))
    return {
        "rows": rows,
        "shapes": shapes,
        "cores": cores,
        "cpu": first["cpu"],
        "start_cpu": start,
        "loop_cpu": loop["cpu"],
        "overhead": round((first["cpu"] - start) / loop["cpu"] - 1, 3),
        "rows_per_second": round(rows / first["seconds"], 1),
        "rerun_ratio": round(again["seconds"] / first["seconds"], 4),
        "stage_cpu": stages,
        "rows_per_core_second": round(rows / work, 1),
        "rerun_cpu": again["cpu"],
        "driver_mb": round(first["driver_mb"]),
        "java_mb": round(first["java_mb"]),
        "worker_mb": round(first["worker_mb"]),
        "log_mb": round(log.stat().st_size / 1e6, 1),
        "tables_mb": {name: round(size / 1e6, 2) for name, size in sorted(sizes.items())},
        "store_mb": round(store.stat().st_size / 1e6, 1),
    }


# --- what is measured -----------------------------------------------------------------------------------------------


def _statement(shape: int, literal: int) -> str:
    """Statements as a warehouse runs them, of a few kinds, each shape with tables and columns of its own."""
    kind = shape % 4
    source, target = f"raw.events_{shape % 97}", f"mart.facts_{shape}"
    if kind == 0:
        return (
            f"insert into {target} (id, name, total) select e.id, c.name, sum(e.amount_{shape % 13}) from {source} e "
            f"join ref.customers c on e.customer_id = c.id where e.day >= '{literal}' and e.kind_{shape} = 1 group by e.id, c.name"
        )
    if kind == 1:
        return (
            f"create or replace table {target} as with recent as (select id, amount, row_number() over (partition by id "
            f"order by changed_at desc) as place from {source} where load_id = {literal}) select id, amount * 1.19 as gross, "
            f"case when amount > {literal} then 'large' else 'small' end as size_{shape} from recent where place = 1"
        )
    if kind == 2:
        return (
            f"merge into {target} t using {source} s on t.id = s.id when matched and s.version > {literal} then update set "
            f"t.amount = s.amount, t.note_{shape} = s.note when not matched then insert (id, amount) values (s.id, s.amount)"
        )
    return f"update {target} set state_{shape} = 'done', changed_at = '{literal}' where id in (select id from {source} where batch = {literal})"


def _write_log(path: Path, statements: Iterator[str]) -> Path:
    texts = list(statements)
    table = pa.table(
        {
            "query_text": texts,
            "user_name": [f"user{at % 7}" for at in range(len(texts))],
            "start_time": [START + timedelta(seconds=at) for at in range(len(texts))],
        }
    )
    pq.write_table(table, path)
    return path


def _job(log: str, tables: str, cores: int) -> Job:
    columns = {"text": "query_text", "user": "user_name", "started_at": "start_time"}
    return Job.model_validate(
        {
            "name": "benchmark",
            "dialect": "snowflake",
            "sources": [{"type": "log", "name": "log", "paths": [log], "columns": columns}],
            "options": {"query_identity": "shape"},
            "store": {"url": f"{tables}/lineage.db", "tables": tables},
            "spark": {"master": f"local[{cores}]"},
        }
    )


def _child(what: str, order: dict[str, Any]) -> None:
    """One measurement in a process of its own, whose CPU time and that of all its children is the result."""
    began = time.monotonic()
    told: dict[str, Any] = {}
    if what in ("plain", "bare"):
        job = _job(order["log"], "unused", 1)
        context = context_of(job)
        guarded = what == "plain"
        collected = collect_units(read_plain(job.sources[0], job.defaults), context, guarded=guarded)
        results = analyse_plain(collected.units, context, guarded=guarded)
        with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "lineage.db") as store:
            store.load_rows(
                (result.levels for result in results if result.levels is not None),
                source="log",
                run="plain",
                started=START,
                history=collected.history,
            )
        told["units"] = len(collected.units)
    else:
        told = _spark_child(what, order)
    told["seconds"] = time.monotonic() - began
    print(json.dumps(told))


def _spark_child(what: str, order: dict[str, Any]) -> dict[str, Any]:
    from connector.pipeline.run import run_job
    from connector.pipeline.spark.session import spark_session

    cores = order["cores"]
    if what == "start":
        job = _job("unused", "unused", cores)
        with spark_session(job.spark, "start") as spark:
            # The first batch starts the Python workers, which a run needs too.
            spark.range(0, cores, 1, cores).mapInArrow(_unchanged, "id long").count()
        return {}
    Path(order["tables"]).mkdir(parents=True, exist_ok=True)
    job = _job(order["log"], order["tables"], cores)
    clock = _StageClock()
    report = run_job(job, progress=clock)
    return {"units": report.analysed, "stages": report.stages, "stage_cpu": clock.seconds}


class _StageClock:
    """CPU seconds that this process and all below it spend in each stage: wall time says little on a busy machine."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._open: list[tuple[str, float]] = []

    def begin(self, what: str, total: int | None = None) -> None:
        self._open.append((what, _cpu_of_all()))

    def advance(self, count: int) -> None:
        pass

    def end(self) -> None:
        what, began = self._open.pop()
        self.seconds[what] = round(self.seconds.get(what, 0.0) + _cpu_of_all() - began, 2)


def _cpu_of_all() -> float:
    """With the time of those that have ended, which their parents keep."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            found[int(entry.name)] = (int(stat[1]), sum(map(int, stat[11:15])))
    ours = [os.getpid()]
    for pid in ours:
        ours.extend(each for each, (parent, _) in found.items() if parent == pid)
    return sum(found[pid][1] for pid in ours if pid in found) / TICK


def _unchanged(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


# --- how it is measured ---------------------------------------------------------------------------------------------


def _best(rounds: int, measure: Callable[[int], dict[str, Any]]) -> dict[str, Any]:
    """Of several measurements the one with the least CPU time: what else goes on in a machine only adds to it."""
    return min((measure(at) for at in range(rounds)), key=lambda told: told["cpu"])


def _spark(what: str, order: dict[str, Any], cores: int) -> dict[str, Any]:
    return _run_child(what, {**order, "cores": cores})


def _run_child(what: str, order: dict[str, Any]) -> dict[str, Any]:
    """Run a measurement; CPU seconds of it and of everything it has started, and the largest Python worker of Spark."""
    command = [sys.executable, __file__, "--child", what, json.dumps(order)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        watcher = _Watcher(process.pid)
        watcher.start()
        output, _ = process.communicate()
        watcher.stop()
    if process.returncode:
        raise SystemExit(f"the measurement {what} has failed")
    memory = {"worker_mb": watcher.worker_mb, "driver_mb": watcher.driver_mb, "java_mb": watcher.java_mb}
    return {**json.loads(output.splitlines()[-1]), "cpu": watcher.cpu, **memory}


class _Watcher(threading.Thread):
    """Looks at a process and all below it, a few times a second."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._over = threading.Event()
        self._ticks: dict[int, int] = {}
        self.worker_mb = self.driver_mb = self.java_mb = 0.0

    @property
    def cpu(self) -> float:
        return round(sum(self._ticks.values()) / TICK, 2)

    def run(self) -> None:
        while not self._over.wait(0.2):
            self._look()

    def stop(self) -> None:
        self._over.set()
        self.join()

    def _look(self) -> None:
        found: dict[int, tuple[int, int, int, str]] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    stat = (entry / "stat").read_text().rpartition(")")[2].split()
                    command = (entry / "cmdline").read_bytes().decode(errors="replace")
                except (OSError, IndexError):
                    continue
                found[int(entry.name)] = (int(stat[1]), int(stat[11]) + int(stat[12]), int(stat[21]) * PAGE, command)
        ours = {self._pid}
        grown = True
        while grown:
            more = {pid for pid, (parent, *_) in found.items() if parent in ours and pid not in ours}
            ours |= more
            grown = bool(more)
        for pid in ours & found.keys():
            _, ticks, resident, command = found[pid]
            self._ticks[pid] = max(ticks, self._ticks.get(pid, 0))
            megabytes = resident / (1 << 20)
            if "pyspark.worker" in command:
                self.worker_mb = max(self.worker_mb, megabytes)
            elif pid == self._pid:
                self.driver_mb = max(self.driver_mb, megabytes)
            elif "org.apache.spark" in command:
                self.java_mb = max(self.java_mb, megabytes)


if __name__ == "__main__":
    main()
