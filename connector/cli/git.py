"""Scripts as they are in a revision of git: ``origin/main:sql``."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from connector.errors import SourceError
from connector.model import Script
from connector.sql.encoding import read_scripts

__all__ = ["is_revision", "read_revision"]


def is_revision(target: str) -> bool:
    """Whether the part before the first colon names a revision of the repository around the working directory."""
    revision = target.partition(":")[0]
    if not revision or revision.startswith("-"):
        return False
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--quiet", "--verify", f"{revision}^{{commit}}"], capture_output=True, check=False
        )
    except OSError:  # there is no git
        return False
    return found.returncode == 0


def read_revision(target: str) -> list[Script]:
    """The scripts of ``REVISION:PATH``, the path seen from the working directory; a path that is not there has none."""
    revision, _, path = target.partition(":")
    known = subprocess.run(["git", "ls-tree", "--name-only", revision, "--", path], capture_output=True, check=True)
    if path not in ("", ".") and not known.stdout.strip():
        return []
    archive = subprocess.run(
        ["git", "archive", "--format=tar", revision, "--", path or "."], capture_output=True, check=False
    )
    if archive.returncode:
        raise SourceError(f"{target}: {archive.stderr.decode(errors='replace').strip()}")
    with TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as content:
            content.extractall(folder, filter="data")
        scripts = read_scripts([Path(folder, path)])
        for script in scripts:
            script.name = f"{revision}:{Path(script.name).relative_to(folder)}"
    return scripts
