"""`lineage-connector diff`: the lineage that a change adds and removes."""

from __future__ import annotations

import logging
from enum import Enum
from typing import Annotated

import typer

from connector.cli import codes, flags
from connector.cli.lineage_input import Side, read_side
from connector.cli.output import configure_messages, report_problems, write_result
from connector.compare import ComparedLevel, difference
from connector.compare.difference import place_of
from connector.compare.rendering import render_json, render_markdown, render_text
from connector.errors import ConfigurationError
from connector.request import AnalysisRequest
from connector.sql.dialects import get_dialect

_log = logging.getLogger("connector")


class DiffForm(str, Enum):
    text = "text"
    json = "json"
    markdown = "markdown"


Compared = "A script, a folder of scripts, an XML or JSON export, a store, or REVISION:PATH of git; - is stdin."
Form = Annotated[DiffForm, typer.Option("--format", "-f", help="Output format; markdown is meant for pull requests.")]


@flags.analyses(*flags.ANALYSIS, "impact")
def diff(
    request: AnalysisRequest,
    old: Annotated[str, typer.Argument(metavar="OLD", help=Compared, show_default=False)],
    new: Annotated[str, typer.Argument(metavar="NEW", help=Compared, show_default=False)],
    level: Annotated[
        ComparedLevel | None,
        typer.Option("--level", "-l", help="What to compare.", show_default="column, if both sides have it"),
    ] = None,
    format: Form = DiffForm.text,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 1 if there are differences, for use in scripts.")
    ] = False,
    out: flags.Out = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Compare two lineages and show what is added (+), removed (-) and computed by a different expression (!).

    -> is data flow, ~> is impact. Statements are compared by what they do, not by their text, so reformatting makes no difference.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    if old == new == "-":
        raise ConfigurationError("Only one of the two can be stdin.")
    before, after = read_side(old, request), read_side(new, request)
    impact = request.options.impact
    chosen = _level(before, after, level)
    found = difference(
        [edge for edge in before.edges(chosen) if impact or edge.type != "fdr"],
        [edge for edge in after.edges(chosen) if impact or edge.type != "fdr"],
        chosen,
        get_dialect(request.dialect),
        masked=before.masked or after.masked,
    )
    if format is DiffForm.markdown:
        result = render_markdown(found, chosen, get_dialect(request.dialect), _new_problems(before, after))
    elif format is DiffForm.json:
        result = render_json(found, chosen, get_dialect(request.dialect))
    else:
        result = render_text(found, chosen)
    write_result(result, out)
    _log.info("%d edges added, %d removed, %d changed", len(found.added), len(found.removed), len(found.changed))
    failures = report_problems(before.problems) + report_problems(after.problems)
    if failures:
        _log.warning("%d statements or parts of them failed; everything else was compared", failures)
    if failures or (exit_code and found):
        raise typer.Exit(codes.FAILURES)


def _new_problems(before: Side, after: Side) -> list[str]:
    """The problems of the new side that the old side does not have."""
    old = {problem.message for problem in before.problems}
    return [
        f"{problem.message} ({place})" if (place := place_of(problem.span)) else problem.message
        for problem in after.problems
        if problem.message not in old
    ]


def _level(before: Side, after: Side, wanted: ComparedLevel | None) -> ComparedLevel:
    """The requested level, or the most detailed one that both sides have."""
    for side in (before, after):
        if wanted is not None and wanted not in side.levels:
            raise ConfigurationError(f"{side.name} contains the {side.levels[0]} level, not the {wanted} level.")
    if wanted is not None:
        return wanted
    common = [level for level in before.levels if level in after.levels]
    if not common:
        raise ConfigurationError(
            f"{before.name} contains the {before.levels[0]} level, but {after.name} the {after.levels[0]} level: "
            "they cannot be compared."
        )
    return common[0]
