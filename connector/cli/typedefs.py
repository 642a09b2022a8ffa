"""`lineage-connector typedefs`: the catalog types that lineage is written as."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from connector.catalogs import catalog_names, load_catalog
from connector.cli import codes, command_group, command_of, flags
from connector.cli.output import configure_messages, write_result
from connector.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from connector.catalogs.catalog import TypeChange

_log = logging.getLogger("connector")

Folder = Annotated[
    Path | None,
    typer.Option(
        "--typedefs",
        metavar="DIR",
        help="Folder with typedefs (*.json).",
        show_default="the ones shipped with the connector",
    ),
]

_SIGNS = {"create": "+", "update": "~", "keep": "=", "newer": ">", "refuse": "!"}
_WORDS = {
    "create": "is missing",
    "update": "is older",
    "keep": "is unchanged",
    "newer": "is newer on the server and was left alone",
    "refuse": "cannot be changed",
}
_DONE = {**_WORDS, "create": "was missing and has been created", "update": "was older and has been updated"}


class _Commands(TyperGroup):
    """`show`, and `diff` and `apply` with the flags of the catalog that has types, created on demand."""

    def list_commands(self, ctx: Any) -> list[str]:
        return ["show", "diff", "apply"]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        commands: dict[str, Callable[..., None]] = {"show": _show, "diff": _diff, "apply": _apply}
        if cmd_name not in commands:
            return None
        command = commands[cmd_name]
        if cmd_name != "show":
            command = flags.with_flags(command, flags.login_flags(_catalog()))
        return command_of(cmd_name, command)


typedefs = command_group(_Commands, "Show, compare and create the catalog's types for lineage.")


def _catalog() -> Any:
    """The catalog whose types these are: there is one with types of its own."""
    from connector.catalogs.catalog import KeepsTypes

    problem: ConfigurationError | None = None
    for name in catalog_names():
        try:
            catalog = load_catalog(name)
        except ConfigurationError as error:
            problem = problem or error
        else:
            if issubclass(catalog, KeepsTypes):
                return catalog
    raise problem or ConfigurationError("No catalog has types of its own.")


def _show(
    folder: Folder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the typedefs as JSON.")] = False,
    out: flags.Out = None,
    quiet: flags.Quiet = False,
) -> None:
    """List the types with their attributes; a * marks mandatory attributes."""
    configure_messages(quiet=quiet, verbose=False)
    catalog = _catalog()
    if not as_json:
        write_result("\n".join(catalog.type_lines(folder)), out)
        return
    merged: dict[str, list[object]] = {}
    for document in catalog.type_documents(folder):
        for category, items in document.items():
            merged.setdefault(category, []).extend(items)
    write_result(json.dumps(merged, indent=2, ensure_ascii=False), out)


def _diff(
    folder: Folder = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
    **given: Any,
) -> None:
    """Show what apply would do. The exit code is 1 if a change would be refused."""
    changes = _changes(folder, given, quiet=quiet, verbose=verbose, apply=False)
    write_result(_report(changes), None)
    if any(change.action == "refuse" for change in changes):
        raise typer.Exit(codes.FAILURES)


def _apply(
    folder: Folder = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
    **given: Any,
) -> None:
    """Create missing types and extend older ones. Nothing is ever removed."""
    write_result(_report(_changes(folder, given, quiet=quiet, verbose=verbose, apply=True), _DONE), None)


def _changes(
    folder: Path | None, given: dict[str, Any], *, quiet: bool, verbose: bool, apply: bool
) -> Sequence[TypeChange]:
    configure_messages(quiet=quiet, verbose=verbose)
    catalog = _catalog()
    settings = flags.settings_from(catalog, given.pop("config"), given)
    found: Sequence[TypeChange] = catalog(settings).type_changes(folder, apply=apply)
    return found


def _report(changes: Sequence[TypeChange], words: Mapping[str, str] = _WORDS) -> str:
    """One line for each type that is not simply there already."""
    lines = []
    for change in changes:
        if change.action != "keep":
            lines.append(f"{_SIGNS[change.action]} {change.name}: {words[change.action]}")
            lines.extend(f"    {detail}" for detail in change.details)
    same = sum(change.action == "keep" for change in changes)
    lines.append(f"{same} of {len(changes)} types are unchanged")
    return "\n".join(lines)
