"""`lineage-connector pack`: pack the environment for Spark's executors."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from connector.cli import flags
from connector.cli.output import configure_messages, write_result
from connector.common.extras import missing_package

_log = logging.getLogger("connector")

Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Archive to write (.tar.gz).")]
PythonOfExecutors = Annotated[
    str | None,
    typer.Option(
        "--python",
        metavar="PATH",
        help="Omit the interpreter and use this one on the executors; it must have the same version.",
        show_default="include the interpreter",
    ),
]


def pack(
    output: Output = Path("environment.tar.gz"),
    python: PythonOfExecutors = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Pack this Python environment for the executors of a Spark cluster: interpreter, connector and dependencies.

    Name the archive in lineage.yaml (`spark: {environment: environment.tar.gz}`), and `run` sends it to executors that do
    not have the connector. With spark-submit, use --archives environment.tar.gz#environment. Pack on a machine with the same
    operating system and processor architecture as the executors.
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
