"""`lineage-connector analyze`: scripts in, lineage out; and `dialects`: the names that `--dialect` takes."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import typer

from connector.cli import codes, flags
from connector.cli.output import configure_messages, report_problems, terminal_wants_color, write_result
from connector.export import find_exporter
from connector.request import AnalysisRequest
from connector.sql.dialects import supported_dialects
from connector.sql.encoding import read_scripts

_log = logging.getLogger("connector")


@flags.analyses(*flags.DISPLAY, *flags.ANALYSIS)
def analyze(
    request: AnalysisRequest,
    inputs: flags.Inputs = None,
    level: flags.AnyLevel = None,
    format: flags.Format = "text",
    out: flags.Out = None,
    color: flags.Color = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Analyse SQL scripts and write their lineage.

    The result goes to stdout or to --out, messages to stderr. Statements that cannot be analysed are listed as
    file:line:column: reason; all others are analysed, and the exit code is 1.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    exporter = find_exporter(format.lower(), level)
    chosen_level = level or exporter.levels[0]

    scripts = read_scripts(flags.inputs_or_stdin(inputs))
    _log.info("Read %s", _count(len(scripts), "script"))
    request = replace(request, options=replace(request.options, color=_color(color, out)))
    if request.limits is None:
        lineage = request.analyze(scripts)
        result, problems = lineage.render(exporter.name, chosen_level), lineage.problems
        found = len(lineage.model.processes), len(lineage.model.relations)
    else:
        from connector.request.guarded import render_within  # processes and pipes

        rendered = render_within(request, scripts, request.limits, exporter.name, chosen_level)
        result, problems, found = rendered.result, rendered.problems, (rendered.processes, rendered.relations)
    _log.info("Found %s and %s", _count(found[0], "process"), _count(found[1], "relation"))
    write_result(result, out)
    failures = report_problems(problems)
    if failures:
        _log.warning("%s; everything else was analysed", _count(failures, "problem"))
        raise typer.Exit(codes.FAILURES)


def _color(wanted: bool | None, out: Path | None) -> bool:
    if wanted is not None:
        return wanted
    return (out is None or str(out) == "-") and terminal_wants_color()


def _count(number: int, noun: str) -> str:
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def dialects() -> None:
    """List the SQL dialects, one per line."""
    for name in supported_dialects():
        typer.echo(name)
