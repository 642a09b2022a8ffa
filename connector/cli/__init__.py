"""The command `lineage-connector`: it parses arguments, calls the package, and turns outcomes into exit codes.

One module for each command. A command is a function with a typer signature, added to `app` here.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from connector import __version__
from connector.cli import codes
from connector.cli.analyze import analyze as analyze_command
from connector.cli.check import check as check_command
from connector.cli.dialects import dialects as dialects_command
from connector.cli.diff import diff as diff_command
from connector.cli.load import load as load_command
from connector.cli.mcp import mcp as mcp_command
from connector.cli.pack import pack as pack_command
from connector.cli.push import push as push_commands
from connector.cli.run import run as run_command
from connector.cli.serve import serve as serve_command
from connector.cli.trace import downstream as downstream_command
from connector.cli.trace import upstream as upstream_command
from connector.cli.typedefs import typedefs as typedefs_commands
from connector.errors import ConnectorError, UnavailableError

__all__ = ["app", "main"]

_log = logging.getLogger("connector")


class _Commands(TyperGroup):
    """All commands answer the same failure with the same exit code, so it is decided once, around all of them."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except UnavailableError as error:
            _log.error("%s", error)
            raise typer.Exit(codes.UNAVAILABLE) from error
        except ConnectorError as error:
            _log.error("%s", error)
            raise typer.Exit(codes.USAGE) from error
        except BrokenPipeError as error:
            # The reader of our output (`head`, a pager) has seen enough. Python would complain once more while it
            # closes stdout, unless stdout leads nowhere by then.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(codes.DONE) from error


app = typer.Typer(
    name="lineage-connector",
    cls=_Commands,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # boxes cut the longer flags off on a terminal of 80 columns
    epilog="Exit codes: 0 done; 1 done, some statements failed and are listed; 2 wrong usage or configuration; "
    "3 a catalog or store could not be reached.",
)
app.command("analyze")(analyze_command)
app.command("run")(run_command)
app.command("check")(check_command)
app.command("pack")(pack_command)
app.command("dialects")(dialects_command)
app.command("load")(load_command)
app.command("upstream")(upstream_command)
app.command("downstream")(downstream_command)
app.command("diff")(diff_command)
app.command("serve")(serve_command)
app.command("mcp")(mcp_command)
app.add_typer(push_commands, name="push")
app.add_typer(typedefs_commands, name="typedefs")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lineage-connector {__version__}")
        raise typer.Exit(codes.DONE)


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Read SQL and say which columns feed which."""


def main() -> None:
    """Entry point of the installed command and of `python -m connector`."""
    app()
