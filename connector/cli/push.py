"""`lineage-connector push`: scripts in, lineage into a catalog."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connector.api import analyze_scripts
from connector.cli import atlas_flags as atlas
from connector.cli import codes, flags
from connector.cli.output import configure_messages, report_problems, write_result
from connector.errors import ConfigurationError
from connector.metadata import load_metadata, merge_metadata
from connector.options import Options
from connector.sql.encoding import read_scripts

if TYPE_CHECKING:
    from connector.catalogs.atlas import Outdated, Summary

__all__ = ["push"]

_log = logging.getLogger("connector")

push = typer.Typer(no_args_is_help=True, help="Write the lineage of SQL scripts to a catalog.")

Mapping = Annotated[
    str | None,
    typer.Option(metavar="NAME|FILE", help="Mapping: default, hive, rdbms, or a YAML file.", show_default="default"),
]
Source = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Name of this input. --prune looks at what was written under the same name, and at nothing else.",
        show_default="the cluster",
    ),
]
Prune = Annotated[
    bool, typer.Option("--prune", help="Remove processes that this source does not have any more, after showing them.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before removing on a terminal.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Analyse, check the mapping, show the plan, send nothing.")]
Verify = Annotated[
    bool, typer.Option("--verify", help="Read everything from the catalog instead of trusting what was remembered.")
]
State = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="File that remembers what was written.", show_default="the user's state folder"),
]
DeadLetterFile = Annotated[
    Path | None,
    typer.Option(
        "--dead-letters", metavar="FILE", help="File for what the catalog refuses.", show_default="beside --state"
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="The summary as JSON.")]


@push.command("atlas")
def push_atlas(
    inputs: flags.Inputs = None,
    dialect: flags.Dialect = "ansi",
    metadata: flags.Metadata = None,
    default_database: flags.DefaultDatabase = None,
    default_schema: flags.DefaultSchema = None,
    cluster: flags.Cluster = None,
    query_identity: flags.Identity = "text",
    config: atlas.Config = None,
    url: atlas.Url = None,
    user: atlas.User = None,
    password_file: atlas.PasswordFile = None,
    token_file: atlas.TokenFile = None,
    kerberos: atlas.Kerberos = False,
    ca_file: atlas.CaFile = None,
    mapping: Mapping = None,
    source: Source = None,
    prune: Prune = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    verify: Verify = False,
    state: State = None,
    dead_letters: DeadLetterFile = None,
    as_json: AsJson = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Analyse SQL scripts and write their lineage to Apache Atlas.

    A second run of the same input changes nothing. The summary goes to stdout, progress and messages to stderr.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    if not (quiet or verbose):
        _log.setLevel(logging.INFO)
    settings = atlas.settings_from(
        config,
        url=url or ("http://dry.run" if dry_run and config is None else None),
        user=user,
        password_file=password_file,
        token_file=token_file,
        kerberos=kerberos,
        ca_file=ca_file,
        mapping=mapping,
        state=state,
        dead_letters=dead_letters,
    )
    from connector.catalogs.atlas import checked_mapping, make_plan
    from connector.catalogs.atlas import push as push_to_atlas
    from connector.catalogs.progress import choose_progress

    checked = checked_mapping(settings.mapping)
    lineage = analyze_scripts(
        read_scripts(_inputs(inputs)),
        dialect=dialect,
        metadata=merge_metadata([load_metadata(path) for path in metadata or ()]),
        default_database=default_database,
        default_schema=default_schema,
        cluster=cluster,
        options=Options(query_identity=query_identity),
    )
    failures = report_problems(lineage.problems)
    source = source or lineage.model.cluster
    if dry_run:
        plan = make_plan([lineage], checked.mapping, source)
        write_result("\n".join(f"{entity.key[0]} {entity.key[1]}" for entity in plan.entities.values()), None)
        return
    asked = _Pruning(yes=yes, complete=not failures) if prune else None
    summary = push_to_atlas(
        [lineage], settings, source=source, verify=verify, prune_if=asked, progress=choose_progress(quiet=quiet)
    )
    write_result(json.dumps(summary.to_dict(), indent=2, ensure_ascii=False) if as_json else summary.table(), None)
    _tell(summary, settings.dead_letter_file)
    if failures or summary.failures or (asked is not None and not asked.complete):
        raise typer.Exit(codes.FAILURES)


class _Pruning:
    """Shows what would be removed and decides; nothing is removed on the word of an input that was not fully read."""

    def __init__(self, *, yes: bool, complete: bool) -> None:
        self._yes = yes
        self.complete = complete

    def __call__(self, outdated: Outdated) -> bool:
        for type_name, name in outdated.remove:
            _log.warning("to remove: %s %s", type_name, name)
        for type_name, name in outdated.release:
            _log.warning("stays, other sources have it: %s %s", type_name, name)
        if not self.complete:
            _log.warning("Nothing is removed, because some statements could not be read")
            return False
        if self._yes or not outdated.remove or not sys.stdin.isatty():
            return True
        return typer.confirm(f"Remove {len(outdated.remove)} processes?", err=True)


def _inputs(inputs: list[Path] | None) -> list[Path]:
    if inputs:
        return inputs
    if sys.stdin.isatty():
        raise ConfigurationError("Name the SQL scripts or folders to analyse, or - for stdin.")
    return [Path("-")]


def _tell(summary: Summary, dead_letters: Path) -> None:
    for note in summary.notes:
        _log.warning("note: %s", note)
    for type_name, name in summary.missing:
        _log.warning("missing: %s %s", type_name, name)
    for failure in summary.failures:
        _log.warning("refused: %s %s: %s", failure.type, failure.name, failure.reason)
    if summary.failures:
        _log.warning("What was refused is in %s", dead_letters)
    if not summary.changed and not summary.failures:
        _log.info("Nothing has changed")
