"""`lineage-connector check`: what would fail, before it does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connector.cli import codes, flags
from connector.cli.output import configure_messages, write_result
from connector.cli.run import Config, JobNames, read_jobs

if TYPE_CHECKING:
    from connector.pipeline.checking import Check

WithSpark = Annotated[bool, typer.Option("--spark/--no-spark", help="Start Spark and test a worker.")]


def check(
    config: Config = Path("lineage.yaml"),
    job: JobNames = None,
    spark: WithSpark = True,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Check everything that the jobs of a file need, and report what is wrong and how to fix it.

    Checks settings, Java and Spark, metadata, sources, the store, catalogs with their credentials and types, and the output
    files. Nothing is changed. The exit code is 2 if something has to be fixed, and 3 if a server does not respond.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    settings = read_jobs(config)
    jobs = [settings.job(name) for name in dict.fromkeys(job)] if job else list(settings.jobs)
    from connector.pipeline.checking import check_job

    found: list[Check] = []
    write_result(_line("settings", f"{config}: {len(settings.jobs)} job{'s' * (len(settings.jobs) != 1)}"), None)
    for each in jobs:
        if len(settings.jobs) > 1:
            write_result(f"\n{each.name}", None)
        for result in check_job(each, with_spark=spark, verbose=verbose):
            found.append(result)
            state = "FAILS" if result.failed else "note" if result.doubtful else "ok"
            write_result(_line(result.part, result.message, state), None)
    failed = [result for result in found if result.failed]
    if any(not result.unavailable for result in failed):
        raise typer.Exit(codes.USAGE)
    if failed:
        raise typer.Exit(codes.UNAVAILABLE)


def _line(part: str, message: str, state: str = "ok") -> str:
    first, *others = message.splitlines() or [""]
    return "\n".join([f"{state:<6} {part:<22} {first}", *(f"{'':<30}{line}" for line in others)])
