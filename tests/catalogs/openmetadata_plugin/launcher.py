"""Runs the `metadata` command again and again without importing its package each time, which takes longer than the run.

A process of its own imports everything once. For each order, one JSON object on a line of its standard input, it forks a
child that becomes the command: with its own arguments, directory, environment and output files. The answer on standard
output is the child's exit code, as text. The children are processes like any other; only the imports are inherited.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
import warnings
from typing import Any


def _become(order: dict[str, Any]) -> int:
    """In the child: be the command."""
    signal.alarm(int(order["seconds"]))
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    for number, file in ((1, order["stdout"]), (2, order["stderr"])):
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    from metadata.cmd import metadata

    try:
        metadata(order["arguments"])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:  # noqa: BLE001  what the interpreter does with any exception that nobody catches
        traceback.print_exc()
        return 1
    return 0


def main() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")

        import connector.catalogs.openmetadata.source  # noqa: F401
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            code = _become(order)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    os._exit(0)  # taking thousands of modules apart takes longer than a run


if __name__ == "__main__":
    main()
