"""Paths with wildcards."""

from __future__ import annotations

from glob import has_magic
from pathlib import Path

__all__ = ["expand", "fixed_part"]


def expand(path: Path) -> list[Path]:
    """The paths that a pattern matches, sorted; a path that exists matches itself, whatever its name contains."""
    if path.exists() or not has_magic(str(path)):
        return [path]
    base = fixed_part(path)
    return sorted(base.glob(path.relative_to(base).as_posix()))


def fixed_part(path: Path) -> Path:
    """The folder above the first part with a wildcard."""
    parts = []
    for part in path.parts:
        if has_magic(part):
            break
        parts.append(part)
    return Path(*parts)
