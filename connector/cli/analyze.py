"""`lineage-connector analyze`: scripts in, lineage out."""

from __future__ import annotations

import logging
from pathlib import Path

import typer

from connector.api import analyze_scripts, read_metadata
from connector.cli import codes, flags
from connector.cli.output import configure_messages, report_problems, terminal_wants_color, write_result
from connector.cli.stdin import piped_stdin
from connector.errors import ConfigurationError
from connector.export import FORMATS, Exporter, Level
from connector.metadata import merge_metadata
from connector.options import Options
from connector.sql.encoding import read_scripts

__all__ = ["analyze"]

_log = logging.getLogger("connector")

_OPTIONS = Options()
"""The defaults: a flag that is not given changes nothing."""


def analyze(
    inputs: flags.Inputs = None,
    dialect: flags.Dialect = "ansi",
    metadata: flags.Metadata = None,
    default_database: flags.DefaultDatabase = None,
    default_schema: flags.DefaultSchema = None,
    cluster: flags.Cluster = None,
    level: flags.AnyLevel = None,
    format: flags.Format = "text",
    out: flags.Out = None,
    color: flags.Color = None,
    impact: flags.Impact = _OPTIONS.impact,
    dataflow: flags.Dataflow = _OPTIONS.dataflow,
    joins: flags.Joins = _OPTIONS.joins,
    columns: flags.Columns = _OPTIONS.columns,
    recordset: flags.Recordset = _OPTIONS.recordset,
    function: flags.Function = _OPTIONS.function,
    top_select: flags.TopSelect = _OPTIONS.top_select,
    temporaries: flags.Temporaries = _OPTIONS.temporaries,
    impact_csv: flags.ImpactCsv = _OPTIONS.impact_csv,
    intermediate_csv: flags.IntermediateCsv = _OPTIONS.intermediate_csv,
    safe_csv: flags.SafeCsv = _OPTIONS.safe_csv,
    namespace: flags.Namespace = _OPTIONS.namespace,
    event_time: flags.EventTime = _OPTIONS.event_time,
    link_orphans: flags.LinkOrphans = _OPTIONS.link_orphans,
    count_direct: flags.CountDirect = _OPTIONS.count_direct,
    case_condition_direct: flags.CaseConditionDirect = _OPTIONS.case_condition_direct,
    constant_functions: flags.ConstantFunctions = _OPTIONS.constant_functions,
    foreign_key_as_er: flags.ForeignKeyAsEr = _OPTIONS.foreign_key_as_er,
    row_column: flags.RowColumnName = _OPTIONS.row_column,
    query_identity: flags.Identity = None,
    timeout: flags.Timeout = None,
    memory: flags.Memory = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Analyse SQL scripts and write their lineage.

    The result goes to stdout or to --out, messages to stderr. Statements that cannot be analysed are listed as
    file:line:column: reason; all others are analysed, and the exit code is 1.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    exporter = _exporter(format)
    chosen_level = _level(exporter, level)

    scripts = read_scripts(inputs or piped_stdin("Specify the SQL scripts or folders to analyse"))
    _log.info("Read %s", _count(len(scripts), "script"))
    known = merge_metadata([read_metadata(path, dialect) for path in metadata or ()])
    options = Options(
        row_column=row_column,
        count_direct=count_direct,
        case_condition_direct=case_condition_direct,
        link_orphans=link_orphans,
        constant_functions=constant_functions,
        foreign_key_as_er=foreign_key_as_er,
        query_identity=query_identity,
        impact=impact,
        dataflow=dataflow,
        joins=joins,
        columns=columns,
        recordset=recordset,
        function=function,
        top_select=top_select,
        temporaries=temporaries,
        impact_csv=impact_csv,
        intermediate_csv=intermediate_csv,
        safe_csv=safe_csv,
        namespace=namespace,
        event_time=event_time,
        color=_color(color, out),
    )
    limits = flags.limits(timeout, memory)
    if limits is None:
        lineage = analyze_scripts(
            scripts,
            dialect=dialect,
            metadata=known,
            default_database=default_database,
            default_schema=default_schema,
            cluster=cluster,
            options=options,
        )
        result, problems = lineage.render(exporter.name, chosen_level), lineage.problems
        found = len(lineage.model.processes), len(lineage.model.relations)
    else:
        from connector.cli.guarded import Request, render_within  # processes, and the pipeline's rows

        request = Request(
            scripts=tuple((script.name, script.text) for script in scripts),
            dialect=dialect,
            metadata=known,
            default_database=default_database,
            default_schema=default_schema,
            cluster=cluster,
            options=options,
        )
        answer = render_within(request, limits, exporter.name, chosen_level)
        result, problems, found = answer.result, answer.problems, (answer.processes, answer.relations)
    _log.info("Found %s and %s", _count(found[0], "process"), _count(found[1], "relation"))
    write_result(result, out)
    failures = report_problems(problems)
    if failures:
        _log.warning("%s; everything else was analysed", _count(failures, "problem"))
        raise typer.Exit(codes.FAILURES)


def _exporter(name: str) -> Exporter:
    exporter = FORMATS.get(name.lower())
    if exporter is None:
        raise ConfigurationError(f"Unknown format {name!r}; choose one of {', '.join(sorted(FORMATS))}.")
    return exporter


def _level(exporter: Exporter, wanted: Level | None) -> Level:
    if wanted is None:
        return exporter.levels[0]
    if wanted not in exporter.levels:
        offered = ", ".join(exporter.levels)
        raise ConfigurationError(f"The format {exporter.name} does not support the level {wanted}; choose {offered}.")
    return wanted


def _color(wanted: bool | None, out: Path | None) -> bool:
    if wanted is not None:
        return wanted
    return (out is None or str(out) == "-") and terminal_wants_color()


def _count(number: int, noun: str) -> str:
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"
