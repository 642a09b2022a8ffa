"""`lineage-connector upstream` and `downstream`: what feeds a table or column, and what uses it, according to the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from connector.cli import flags
from connector.cli.output import configure_messages, write_result

if TYPE_CHECKING:
    from connector.store import Direction

Form = Annotated[flags.TraceForm, typer.Option("--format", "-f", help="Output format.")]


def _command(direction: Direction, text: str) -> flags.Command:
    def command(
        name: flags.Name,
        store: flags.StoreTarget = flags.DEFAULT_STORE,
        depth: flags.Depth = None,
        columns: flags.WithColumns = False,
        format: Form = flags.TraceForm.text,
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
