"""`lineage-connector load`: the lineage of scripts, or of exports, into the store."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Annotated

import typer

from connector.cli import codes, flags, store_flags
from connector.cli.lineage_input import Reading, read_models
from connector.cli.output import configure_messages, report_problems, write_result
from connector.cli.stdin import piped_stdin
from connector.options import Options

if TYPE_CHECKING:
    from connector.store import LoadSummary

__all__ = ["load"]

_log = logging.getLogger("connector")
_OPTIONS = Options()

Form = Annotated[store_flags.SummaryForm, typer.Option("--format", "-f", help="Format of the summary.")]


def load(
    inputs: flags.Inputs = None,
    store: store_flags.StoreTarget = store_flags.DEFAULT_STORE,
    dialect: flags.Dialect = "ansi",
    metadata: flags.Metadata = None,
    default_database: flags.DefaultDatabase = None,
    default_schema: flags.DefaultSchema = None,
    cluster: flags.Cluster = None,
    source: store_flags.SourceName = None,
    run: store_flags.RunName = None,
    temporaries: flags.Temporaries = _OPTIONS.temporaries,
    link_orphans: flags.LinkOrphans = _OPTIONS.link_orphans,
    count_direct: flags.CountDirect = _OPTIONS.count_direct,
    case_condition_direct: flags.CaseConditionDirect = _OPTIONS.case_condition_direct,
    foreign_key_as_er: flags.ForeignKeyAsEr = _OPTIONS.foreign_key_as_er,
    row_column: flags.RowColumnName = _OPTIONS.row_column,
    query_identity: flags.Identity = None,
    format: Form = store_flags.SummaryForm.text,
    out: flags.Out = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Analyse SQL scripts and load their lineage into the store.

    Accepts XML and JSON exports of the complete level, too. A load is one transaction: a load that fails or is killed
    leaves the store as it was. Loading the same input again only adds a run.
    """
    # SQLAlchemy takes a while to load, and only the commands of the store need it.
    from connector.store import Store

    configure_messages(quiet=quiet, verbose=verbose)
    targets = inputs or piped_stdin("Specify the SQL scripts, folders or exports to load")
    reading = Reading(
        dialect,
        metadata,
        default_database,
        default_schema,
        cluster,
        Options(
            row_column=row_column,
            count_direct=count_direct,
            case_condition_direct=case_condition_direct,
            link_orphans=link_orphans,
            foreign_key_as_er=foreign_key_as_er,
            temporaries=temporaries,
            query_identity=query_identity,
        ),
    )
    models = read_models(targets, reading)
    with Store.open(store) as opened:
        _log.info("Loading into %s", opened.label)
        summary = opened.load(
            models,
            source=" ".join(map(str, targets)) if source is None else source,
            run=run,
            keep_temporaries=temporaries,
        )
    shown = _text(summary) if format is store_flags.SummaryForm.text else json.dumps(summary.to_dict(), indent=2)
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
