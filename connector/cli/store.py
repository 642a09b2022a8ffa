"""The commands of the store: `load` fills it; `upstream` and `downstream` show what feeds a table or column, and what uses it."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Annotated

import typer

from connector.cli import codes, flags
from connector.cli.lineage_input import read_models
from connector.cli.output import configure_messages, report_problems, write_result
from connector.request import AnalysisRequest

if TYPE_CHECKING:
    from connector.store import Direction, LoadSummary

_log = logging.getLogger("connector")

SummaryFormat = Annotated[flags.SummaryForm, typer.Option("--format", "-f", help="Format of the summary.")]


@flags.analyses(*flags.ANALYSIS, "temporaries")
def load(
    request: AnalysisRequest,
    inputs: flags.Inputs = None,
    store: flags.StoreTarget = flags.DEFAULT_STORE,
    source: flags.SourceName = None,
    run: flags.RunName = None,
    format: SummaryFormat = flags.SummaryForm.text,
    out: flags.Out = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Analyse SQL scripts and load their lineage into the store.

    Also accepts XML and JSON exports of the complete level. A load is one transaction: a load that fails or is killed
    leaves the store as it was. Loading the same input again only adds a run.
    """
    # SQLAlchemy takes a while to load, and only the commands of the store need it.
    from connector.store import Store

    configure_messages(quiet=quiet, verbose=verbose)
    targets = flags.inputs_or_stdin(inputs)
    models = read_models(targets, request)
    with Store.open(store) as opened:
        _log.info("Loading into %s", opened.label)
        summary = opened.load(
            models,
            source=" ".join(map(str, targets)) if source is None else source,
            run=run,
            keep_temporaries=request.options.temporaries,
        )
    shown = _text(summary) if format is flags.SummaryForm.text else json.dumps(summary.to_dict(), indent=2)
    write_result(shown, out)
    failures = report_problems([problem for model in models for problem in model.problems])
    if failures:
        _log.warning("%d statements or parts of them failed; everything else is in the store", failures)
        raise typer.Exit(codes.FAILURES)


def _text(summary: LoadSummary) -> str:
    lines = [f"{'':13}{'created':>9}{'updated':>9}{'removed':>9}{'unchanged':>11}"]
    for kind, counts in summary.kinds.items():
        lines.append(
            f"{kind.replace('_', ' '):13}{counts.created:>9}{counts.updated:>9}{counts.removed:>9}{counts.unchanged:>11}"
        )
    return "\n".join(lines)


TraceFormat = Annotated[flags.TraceForm, typer.Option("--format", "-f", help="Output format.")]


def _command(direction: Direction, text: str) -> flags.Command:
    def command(
        name: flags.Name,
        store: flags.StoreTarget = flags.DEFAULT_STORE,
        depth: flags.Depth = None,
        columns: flags.WithColumns = False,
        format: TraceFormat = flags.TraceForm.text,
        out: flags.Out = None,
        quiet: flags.Quiet = False,
        verbose: flags.Verbose = False,
    ) -> None:
        configure_messages(quiet=quiet, verbose=verbose)
        # SQLAlchemy takes a while to load, and only these commands need it.
        from connector.store import Store
        from connector.store.trace_formats import TRACE_FORMATS

        with Store.open(store, create=False) as opened:
            ask = opened.upstream if direction == "upstream" else opened.downstream
            trace = ask(name, depth=depth, columns=columns)
        write_result(TRACE_FORMATS[format.value](trace), out)

    command.__doc__ = text
    return command


upstream = _command(
    "upstream",
    """Show what feeds a table or column, according to the store.

    <- is data flow, <~ is impact: a filter, a join condition, a grouping.
    """,
)
downstream = _command(
    "downstream",
    """Show what uses a table or column, according to the store.

    -> is data flow, ~> is impact: a filter, a join condition, a grouping.
    """,
)
