"""`lineage-connector pack`: the archive that Spark's executors need."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from connector.cli import flags
from connector.cli.output import configure_messages, write_result
from connector.extras import missing_package

__all__ = ["pack"]

_log = logging.getLogger("connector")

Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The archive to write, a .tar.gz file.")]
PythonOfExecutors = Annotated[
    str | None,
    typer.Option(
        "--python",
        metavar="PATH",
        help="Leave the interpreter out and use this one of the executors, of the same version as here.",
        show_default="pack the interpreter, too",
    ),
]


def pack(
    output: Output = Path("environment.tar.gz"),
    python: PythonOfExecutors = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Pack this Python environment for the executors of a Spark cluster: the connector, its dependencies, the interpreter.

    Name the archive in lineage.yaml (`spark: {environment: environment.tar.gz}`), and `run` ships it to executors that lack
    the connector. Under spark-submit use --archives environment.tar.gz#environment. The machine that packs must be like the
    executors: the same system and processor.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    try:
        from connector.pipeline.environment import pack_environment
    except ModuleNotFoundError as error:
        raise missing_package(error, "spark") from None
    packed = pack_environment(output, python=python)
    for name, version in sorted(packed.distributions.items()):
        _log.debug("packed %s %s", name, version)
    write_result(f"{packed.file}: {len(packed.distributions)} packages, {packed.size / 1e6:,.0f} MB", None)
