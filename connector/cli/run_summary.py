"""The summary of a run, as a table."""

from __future__ import annotations

import io
from collections.abc import Iterable

from rich.box import ROUNDED
from rich.console import Console
from rich.table import Table

from connector.catalogs.summary import Summary
from connector.pipeline.run_report import STAGES, CatalogOutcome, RunReport, SourceOutcome

_WIDTH = 100
_LISTED = 3


def summary_table(report: RunReport) -> str:
    """A table of two columns: a name and its value."""
    table = Table(title=_title(report), title_justify="left", title_style="", show_header=False, box=ROUNDED)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    sections = (_input(report), _analysis(report), _result(report), _catalogs(report.catalogs), _time(report))
    for rows in map(list, sections):
        for position, (what, value) in enumerate(rows, start=1):
            table.add_row(what, value, end_section=position == len(rows))
    stream = io.StringIO()
    Console(file=stream, width=_WIDTH, color_system=None, highlight=False, markup=False).print(table)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def _title(report: RunReport) -> str:
    how = "full analysis" if report.full else "incremental"
    ended = "done" if report.succeeded else "done, with failures"
    return f"{report.job}: {ended} in {report.seconds:.1f} s ({how})"


def _input(report: RunReport) -> Iterable[tuple[str, str]]:
    for source in report.sources:
        yield f"source {source.name}", _outcome(source)
    yield "distinct statements", f"{report.statements:,}"


def _analysis(report: RunReport) -> Iterable[tuple[str, str]]:
    yield "known from earlier runs", f"{report.known:,} of {report.units:,} statements, scripts and sessions"
    rate = f" ({report.units_per_second:,.0f}/s)" if report.analysed else ""
    yield "analysed", f"{report.analysed:,}{rate}"
    yield "failed", f"{report.failed:,}"
    if report.errors:
        found = sorted(report.errors.items(), key=lambda item: (-item[1], item[0]))
        yield "errors and notes", ", ".join(f"{kind} {count:,}" for kind, count in found)
    for unit in report.slowest[:_LISTED]:
        yield "slowest", f"{unit.seconds:.2f} s  {unit.origin}:{unit.line}"


def _result(report: RunReport) -> Iterable[tuple[str, str]]:
    yield "lineage found", f"{report.column_edges:,} edges between columns, {report.table_edges:,} between tables"
    for kind, counts in report.stored.items():
        if isinstance(counts, dict):  # the other values are sums of these, and the name of the run
            yield f"store: {kind.replace('_', ' ')}", _counts(counts)
    yield "store", report.store


def _outcome(source: SourceOutcome) -> str:
    if source.error is not None:
        return "not read"  # the reason is a message of its own
    return "unchanged, not read" if source.skipped else _rows_of(source)


def _rows_of(source: SourceOutcome) -> str:
    told = ["1 new row" if source.rows == 1 else f"{source.rows:,} new rows"]
    if source.passed_over:
        told.append(f"{source.passed_over:,} skipped (failed, hidden or empty)")
    if source.malformed:
        told.append(f"{source.malformed:,} malformed")
    if source.truncated:
        told.append(f"{source.truncated:,} truncated by the log")
    return ", ".join(told)


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "-"


def _catalogs(catalogs: Iterable[CatalogOutcome]) -> Iterable[tuple[str, str]]:
    for catalog in catalogs:
        if catalog.error is not None:
            yield catalog.type, f"{catalog.name}: {catalog.error}"
        elif catalog.summary is None:
            yield catalog.type, f"{catalog.name}: nothing to send"
        else:
            yield catalog.type, f"{catalog.name}: {_written(catalog.summary)}"
            missing = list(catalog.summary.missing_lines())
            for line in missing[:_LISTED]:
                yield f"{catalog.type} lacks", line
            if len(missing) > _LISTED:
                yield f"{catalog.type} lacks", f"{len(missing) - _LISTED:,} more; the report has them all"
            notes = list(dict.fromkeys(catalog.summary.notes))
            for note in notes[:_LISTED]:
                yield f"{catalog.type} note", note
            if len(notes) > _LISTED:
                yield f"{catalog.type} note", f"{len(notes) - _LISTED:,} more; the report has them all"


def _written(summary: Summary) -> str:
    """The counts of a catalog; objects and lineage separately if the catalog counts them separately."""
    names = ("created", "updated", "unchanged", "removed", "missing", "failed")
    told = []
    for part, counts in summary.parts.items():
        done = ", ".join(f"{getattr(counts, name):,} {name}" for name in names if getattr(counts, name))
        if done:
            told.append(done if part == "total" else f"{part}: {done}")
    return "; ".join(told) or "nothing to send"


def _time(report: RunReport) -> Iterable[tuple[str, str]]:
    names = {str(stage): name for stage, name in STAGES.items()}
    parts = [f"{names.get(stage, stage).lower()} {seconds:.1f}" for stage, seconds in report.stages.items()]
    yield "seconds", ", ".join(parts)
    if report.rows:
        yield "rows per second", f"{report.rows_per_second:,.0f}"
