"""`lineage-connector push`: scripts in, lineage into a catalog. One command for each catalog of the registry."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from connector.catalogs import catalog_names, catalog_of, load_catalog
from connector.cli import codes, command_group, command_of, flags
from connector.cli.output import configure_messages, report_problems, tell_summary, write_result
from connector.errors import ConfigurationError
from connector.request import AnalysisRequest
from connector.sql.encoding import read_scripts

if TYPE_CHECKING:
    from connector.catalogs import AnyCatalog
    from connector.catalogs.catalog import DeliverySettings, Outdated
    from connector.catalogs.summary import Summary

_log = logging.getLogger("connector")

_SHARED_SETTINGS = {
    "source": "the cluster",
    "verify": "",
    "prune": "",
    "repair": "",
    "state": "the user's state directory",
    "dead_letters": "beside --state",
}
"""The settings that are flags of every ``push``, where the catalog has them."""
_NOWHERE = "http://dry.run"

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation before removing.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Analyse, validate the mapping and show the plan, but write nothing.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]


class _Catalogs(TyperGroup):
    """The commands, created on demand from the registered catalogs."""

    def list_commands(self, ctx: Any) -> list[str]:
        return catalog_names()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in catalog_names():
            return None
        try:
            catalog = load_catalog(cmd_name)
        except ConfigurationError as error:
            return command_of(cmd_name, _unavailable(str(error)), context_settings={"ignore_unknown_options": True})
        return command_of(cmd_name, _command(catalog))


push = command_group(_Catalogs, "Write the lineage of SQL scripts to a catalog.")


def _unavailable(reason: str) -> Any:
    def command(arguments: Annotated[list[str] | None, typer.Argument()] = None) -> None:
        raise ConfigurationError(reason)

    command.__doc__ = reason
    return command


def _command(catalog: type[AnyCatalog]) -> Any:
    def command(
        request: AnalysisRequest,
        inputs: flags.Inputs = None,
        yes: Yes = False,
        dry_run: DryRun = False,
        as_json: AsJson = False,
        quiet: flags.Quiet = False,
        verbose: flags.Verbose = False,
        **given: Any,
    ) -> None:
        configure_messages(quiet=quiet, verbose=verbose)
        if not (quiet or verbose):
            _log.setLevel(logging.INFO)
        if dry_run and not given["config"]:
            given["url"] = given["url"] or _NOWHERE
        settings = flags.settings_from(catalog, given.pop("config"), given)
        _push_scripts(inputs, request, settings, yes=yes, dry_run=dry_run, as_json=as_json, quiet=quiet)

    command.__doc__ = f"""Analyse SQL scripts and write their lineage to {catalog.title}.

    {catalog.__doc__}

    A second run of the same input changes nothing. The summary goes to stdout, progress and messages to stderr.
    """
    shared = {name: shown for name, shown in _SHARED_SETTINGS.items() if name in catalog.settings_class.model_fields}
    wanted = [
        *flags.login_flags(catalog),
        *flags.setting_flags(catalog, {**catalog.flags, **shared}),
    ]
    return flags.with_flags(flags.analyses(*flags.ANALYSIS)(command), wanted, before="yes")


def _push_scripts(
    inputs: list[Path] | None,
    request: AnalysisRequest,
    settings: DeliverySettings,
    *,
    yes: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    from connector.cli.progress import shown_progress

    catalog = catalog_of(settings)
    repairs = not inputs and getattr(settings, "repair", False)
    scripts = [] if repairs else read_scripts(flags.inputs_or_stdin(inputs))
    lineage = request.analyze(scripts)
    known = catalog.known_columns([lineage]) if not dry_run else None
    if known:
        lineage = request.with_columns(known).analyze(scripts)
    failures = report_problems(lineage.problems)
    source = settings.source or lineage.model.cluster
    if dry_run:
        write_result("\n".join(catalog.show(catalog.plan([lineage], source=source))), None)
        if failures:
            raise typer.Exit(codes.FAILURES)
        return
    asked = _Pruning(yes=yes, complete=not failures) if settings.prunes else None
    with shown_progress(quiet=quiet) as progress:
        summary = catalog.deliver([lineage], source=source, verify=settings.verify, prune_if=asked, progress=progress)
    write_result(json.dumps(summary.to_dict(), indent=2, ensure_ascii=False) if as_json else summary.table(), None)
    _tell(summary, settings)
    if failures or summary.failures or summary.unattached or (asked is not None and not asked.complete):
        raise typer.Exit(codes.FAILURES)


class _Pruning:
    """Shows what would be removed and decides. Nothing is removed if part of the input could not be analysed."""

    def __init__(self, *, yes: bool, complete: bool) -> None:
        self._yes = yes
        self.complete = complete

    def __call__(self, outdated: Outdated) -> bool:
        for type_name, name in outdated.remove:
            _log.warning("to remove: %s %s", type_name, name)
        for type_name, name in outdated.release:
            _log.warning("kept because other sources have it: %s %s", type_name, name)
        if not self.complete:
            _log.warning("Nothing is removed because some statements could not be analysed")
            return False
        if self._yes or not outdated.remove or not sys.stdin.isatty():
            return True
        return typer.confirm(f"Remove {len(outdated.remove)}?", err=True)


def _tell(summary: Summary, settings: DeliverySettings) -> None:
    tell_summary(summary)
    if summary.failures:
        _log.warning("Rejected items were written to %s", settings.dead_letter_file)
    if not summary.changed and not summary.failures:
        _log.info("Nothing has changed")
