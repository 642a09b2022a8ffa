"""The command `lineage-connector`: it parses arguments, calls the package, and turns outcomes into exit codes.

One module for each command. A command is a function with a typer signature, added to `app` here.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from connector import __version__
from connector.cli import codes
from connector.cli.codes import describe_failure
from connector.common.collector import collect_rarely
from connector.errors import ConnectorError

__all__ = ["app", "command_group", "command_of", "main"]

_log = logging.getLogger("connector")


_COMMANDS = {
    "analyze": "analyze:analyze",
    "run": "run:run",
    "check": "run:check",
    "pack": "pack:pack",
    "dialects": "analyze:dialects",
    "load": "store:load",
    "upstream": "store:upstream",
    "downstream": "store:downstream",
    "diff": "diff:diff",
    "serve": "serve:serve",
    "mcp": "serve:mcp",
    "push": "push:push",
    "typedefs": "typedefs:typedefs",
}
"""Each command's module in this package, and the function or the group of commands in it, in the order of the help."""


class _Loaded(MutableMapping[str, Any]):
    """The commands by name, each imported when it is first used."""

    def __init__(self) -> None:
        self._found: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._found:
            self._found[name] = _load_command(name)
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in _COMMANDS

    def __setitem__(self, name: str, command: Any) -> None:
        self._found[name] = command

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class _Commands(TyperGroup):
    """All commands answer the same failure with the same exit code, so it is decided once, around all of them."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _Loaded()

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_COMMANDS)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            # The reader of our output (`head`, a pager) has seen enough. Python would complain once more while it
            # closes stdout, unless stdout leads nowhere by then.
            _abandon_stdout()
            raise typer.Exit(codes.DONE) from error
        except (ConnectorError, OSError) as error:
            if isinstance(error, OSError):
                _abandon_stdout()
            reason, code = describe_failure(error)
            _log.error("%s", reason)
            raise typer.Exit(code) from error
        except KeyboardInterrupt as error:
            _log.error("Interrupted.")
            raise typer.Exit(codes.INTERRUPTED) from error


def _load_command(name: str) -> Any:
    if name not in _COMMANDS:
        raise KeyError(name)
    module, _, attribute = _COMMANDS[name].partition(":")
    found = getattr(import_module(f"connector.cli.{module}"), attribute)
    if isinstance(found, typer.Typer):
        found.info.name = name
        return typer.main.get_command(found)
    return command_of(name, found)


def command_of(name: str, function: Any, **settings: Any) -> Any:
    """A function with a typer signature as a command."""
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    alone.command(name, **settings)(function)
    return typer.main.get_command(alone)


def command_group(commands: type[TyperGroup], help: str) -> typer.Typer:
    """A group whose commands are created on demand."""
    group = typer.Typer(cls=commands, no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=help)
    group.callback()(lambda: None)  # typer makes a group of one command only if it has a callback
    return group


def _abandon_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    name="lineage-connector",
    cls=_Commands,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # boxes cut the longer flags off on a terminal of 80 columns
    epilog="Exit codes: 0 success; 1 completed, but some statements failed and are listed; 2 incorrect usage or configuration; "
    "3 a catalog or the store could not be reached; 130 interrupted.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lineage-connector {__version__}")
        raise typer.Exit(codes.DONE)


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Read SQL and report which columns feed which."""


def main() -> None:
    """Entry point of the installed command and of `python -m connector`."""
    collect_rarely()
    try:
        app()
    except KeyboardInterrupt:  # before a command has begun
        _log.error("Interrupted.")
        sys.exit(codes.INTERRUPTED)
