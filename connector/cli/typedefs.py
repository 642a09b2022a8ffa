"""`lineage-connector typedefs`: the catalog types that lineage is written as."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connector.cli import atlas_flags as atlas
from connector.cli import codes, flags
from connector.cli.output import configure_messages, write_result

if TYPE_CHECKING:
    from connector.catalogs.atlas import AtlasSettings, TypeChange

__all__ = ["typedefs"]

_log = logging.getLogger("connector")

typedefs = typer.Typer(
    no_args_is_help=True, help="Show, compare and create the types that lineage is written as in Atlas."
)

Folder = Annotated[
    Path | None,
    typer.Option("--typedefs", metavar="DIR", help="Folder with typedefs (*.json).", show_default="the shipped ones"),
]

_SIGNS = {"create": "+", "update": "~", "keep": "=", "newer": ">", "refuse": "!"}
_WORDS = {
    "create": "is missing",
    "update": "is older",
    "keep": "is the same",
    "newer": "is newer on the server and left alone",
    "refuse": "cannot be changed",
}


@typedefs.command("show")
def show(
    folder: Folder = None,
    as_json: Annotated[bool, typer.Option("--json", help="The typedefs themselves.")] = False,
    out: flags.Out = None,
    quiet: flags.Quiet = False,
) -> None:
    """List the types with their attributes; a * marks what an entity cannot be without."""
    configure_messages(quiet=quiet, verbose=False)
    with atlas.atlas_extra():
        from connector.catalogs.atlas import TypeSystem, load_typedefs, own_typedefs
        from connector.resources import resource_folder

    documents = [document for _, document in own_typedefs(folder)]
    if as_json:
        merged: dict[str, list[object]] = {}
        for document in documents:
            for category, items in document.items():
                merged.setdefault(category, []).extend(items)
        write_result(json.dumps(merged, indent=2, ensure_ascii=False), out)
        return
    types = TypeSystem([load_typedefs(resource_folder("typedefs") / "atlas" / "base.json"), *documents])
    lines = []
    for document in documents:
        for item in document.get("entityDefs") or ():
            lines.append(
                f"{item['name']} {item.get('typeVersion', '1.0')}  extends {', '.join(item['superTypes']) or 'nothing'}"
            )
            lines.extend(
                f"  {attribute.name}{'*' if attribute.mandatory else ''}: {attribute.type}"
                for attribute in types.attributes(item["name"]).values()
            )
    write_result("\n".join(lines), out)


@typedefs.command("diff")
def diff(
    folder: Folder = None,
    config: atlas.Config = None,
    url: atlas.Url = None,
    user: atlas.User = None,
    password_file: atlas.PasswordFile = None,
    token_file: atlas.TokenFile = None,
    kerberos: atlas.Kerberos = False,
    ca_file: atlas.CaFile = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Show what apply would do. Exit code 1 when a change would be refused."""
    configure_messages(quiet=quiet, verbose=verbose)
    settings = atlas.settings_from(
        config,
        url=url,
        user=user,
        password_file=password_file,
        token_file=token_file,
        kerberos=kerberos,
        ca_file=ca_file,
    )
    changes = _compare(settings, folder, apply=False)
    write_result(_report(changes), None)
    if any(change.action == "refuse" for change in changes):
        raise typer.Exit(codes.FAILURES)


@typedefs.command("apply")
def apply(
    folder: Folder = None,
    config: atlas.Config = None,
    url: atlas.Url = None,
    user: atlas.User = None,
    password_file: atlas.PasswordFile = None,
    token_file: atlas.TokenFile = None,
    kerberos: atlas.Kerberos = False,
    ca_file: atlas.CaFile = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Create the types that are missing and widen those that are older. Nothing is ever taken away."""
    configure_messages(quiet=quiet, verbose=verbose)
    settings = atlas.settings_from(
        config,
        url=url,
        user=user,
        password_file=password_file,
        token_file=token_file,
        kerberos=kerberos,
        ca_file=ca_file,
    )
    write_result(_report(_compare(settings, folder, apply=True)), None)


def _compare(settings: AtlasSettings, folder: Path | None, *, apply: bool) -> list[TypeChange]:
    from connector.catalogs.atlas import apply_changes, find_changes, own_typedefs
    from connector.catalogs.locking import only_writer

    documents = [document for _, document in own_typedefs(folder)]
    with settings.connect() as client:
        if not apply:
            return find_changes(documents, client.typedefs())
        with only_writer(client.url):
            changes = find_changes(documents, client.typedefs())
            apply_changes(client, changes)
    return changes


def _report(changes: list[TypeChange]) -> str:
    """One line for each type that is not simply there already."""
    lines = []
    for change in changes:
        if change.action != "keep":
            lines.append(f"{_SIGNS[change.action]} {change.name}: {_WORDS[change.action]}")
            lines.extend(f"    {detail}" for detail in change.details)
    same = sum(change.action == "keep" for change in changes)
    lines.append(f"{same} of {len(changes)} types are the same")
    return "\n".join(lines)
