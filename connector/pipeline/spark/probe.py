"""Checks whether a Python has what executors need.

The text of this module is what a probe runs on the executors, with whatever Python they have. So it imports nothing outside the
standard library, keeps to what old versions understand, and prints what it finds as one line of JSON.
"""

from __future__ import annotations

import hashlib
import json
import socket
import sys
import zipfile
from importlib import util
from pathlib import Path

PACKAGES = ("lineage-connector", "sqlglot", "pyarrow", "pydantic", "deltalake")
"""Distributions that the workers cannot do without."""


def installed() -> dict[str, object]:
    """Versions, and a digest of our own code: a version number alone does not tell an old build from a new one."""
    return {
        "host": socket.gethostname(),
        "python": ".".join(map(str, sys.version_info[:3])),
        "packages": {name: _version(name) for name in PACKAGES},
        "code": _code(),
    }


def answer() -> str:
    """The same as a line of JSON."""
    return json.dumps(installed())


def _version(name: str) -> str | None:
    try:
        from importlib import metadata

        return metadata.version(name)
    except ImportError:  # not installed, or a Python before 3.8
        return None


def _code() -> str | None:
    spec = util.find_spec("connector")
    if spec is None or not spec.submodule_search_locations:
        return None
    top = Path(next(iter(spec.submodule_search_locations)))
    sources = _in_folder(top) if top.is_dir() else _in_archive(top)
    digest = hashlib.sha256()
    for name in sorted(sources):
        digest.update(name.encode())
        digest.update(sources[name])
    return digest.hexdigest()[:16]


def _in_folder(top: Path) -> dict[str, bytes]:
    return {file.relative_to(top).as_posix(): file.read_bytes() for file in top.glob("**/*.py")}


def _in_archive(top: Path) -> dict[str, bytes]:
    """The modules of a package that Python imports from an archive, as it does with what `--py-files` brings."""
    archive = next((path for path in top.parents if path.is_file()), None)
    if archive is None:
        return {}
    inside = top.relative_to(archive).as_posix() + "/"
    with zipfile.ZipFile(archive) as opened:
        names = [name for name in opened.namelist() if name.startswith(inside) and name.endswith(".py")]
        return {name[len(inside) :]: opened.read(name) for name in names}


if __name__ == "__main__":
    sys.stdout.write(answer() + "\n")
