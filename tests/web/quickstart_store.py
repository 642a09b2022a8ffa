"""The quickstart's store, made by the pipeline in one thread: its scripts, and its query log with users and times."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

from connector.pipeline.plain import analyse_plain, collect_units
from connector.pipeline.reading import context_of
from connector.settings import load_settings
from connector.sources import read_plain
from connector.store import Store

GENERATE = Path(__file__).parents[2] / "examples" / "quickstart" / "generate.py"
ROWS = 600
"""Of the query log."""


def make_quickstart(folder: Path, rows: int = ROWS) -> Path:
    """The store, in a folder of its own."""
    make = [sys.executable, str(GENERATE), str(folder), "--rows", str(rows)]
    subprocess.run(make, capture_output=True, timeout=120, check=True)
    [job] = load_settings(folder / "lineage.yaml").jobs
    context = context_of(job)
    statements = [statement for source in job.sources for statement in read_plain(source, job.defaults)]
    collected = collect_units(statements, context, guarded=False)
    found = [result.levels for result in analyse_plain(collected.units, context, guarded=False)]
    path = folder / "lineage.db"
    with Store.open(path) as store:
        store.load_rows(
            [each for each in found if each is not None],
            source=job.name,
            run="first",
            started=datetime(2026, 2, 1, tzinfo=timezone.utc),
            history=collected.history,
        )
    return path
