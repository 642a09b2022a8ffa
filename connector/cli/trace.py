"""`lineage-connector upstream` and `downstream`: who feeds a table or column, and who uses it, from the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from connector.cli import flags
from connector.cli.output import configure_messages, write_result

if TYPE_CHECKING:
    from pathlib import Path

    from connector.store import Direction

__all__ = ["downstream", "upstream"]

Form = Annotated[flags.TraceForm, typer.Option("--format", "-f", help="Output format.")]


def upstream(
    name: flags.Name,
    store: flags.StoreTarget = flags.DEFAULT_STORE,
    depth: flags.Depth = None,
    columns: flags.WithColumns = False,
    format: Form = flags.TraceForm.text,
    out: flags.Out = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Show what feeds a table or column, according to the store.

    <- is data flow, <~ is impact: a filter, a join condition, a grouping.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    _answer("upstream", name, store, depth, columns, format, out)


def downstream(
    name: flags.Name,
    store: flags.StoreTarget = flags.DEFAULT_STORE,
    depth: flags.Depth = None,
    columns: flags.WithColumns = False,
    format: Form = flags.TraceForm.text,
    out: flags.Out = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Show what uses a table or column, according to the store.

    -> is data flow, ~> is impact: a filter, a join condition, a grouping.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    _answer("downstream", name, store, depth, columns, format, out)


def _answer(
    direction: Direction,
    name: str,
    target: str,
    depth: int | None,
    columns: bool,
    form: flags.TraceForm,
    out: Path | None,
) -> None:
    # SQLAlchemy takes a while to load, and only these commands need it.
    from connector.store import Store
    from connector.store.render import TRACE_FORMATS

    with Store.open(target, create=False) as store:
        ask = store.upstream if direction == "upstream" else store.downstream
        trace = ask(name, depth=depth, columns=columns)
    write_result(TRACE_FORMATS[form.value](trace), out)
