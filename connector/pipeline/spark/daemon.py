"""Starts the Python workers of a local Spark from the PySpark that is installed.

Spark puts the archives that come with it before anything else that its workers import. Nothing in an archive is compiled ahead, so
every run would compile all of PySpark once more, which takes longer than deduplicating a small log.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path

MODULE = __name__
"""What Spark is told to run."""


def prefer_installed(path: list[str]) -> None:
    """Takes the archives off a path that are a part of the PySpark that the rest of the path leads to."""
    installed = PathFinder.find_spec("pyspark", [place for place in path if not place.endswith(".zip")])
    if installed is not None and installed.origin:
        home = str(Path(installed.origin).parent)
        path[:] = [place for place in path if not (place.endswith(".zip") and place.startswith(home))]


if __name__ == "__main__":
    prefer_installed(sys.path)

    from pyspark.daemon import manager

    manager()
