"""The scripts of the other tests, with the columns that they know."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from connector import analyze
from connector.lineage import Lineage

__all__ = ["Sample", "dialects", "samples"]

_GOLDEN = Path(__file__).parents[2] / "golden"
_METADATA = re.compile(r"--\s*metadata\s*:\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Sample:
    """A script and its lineage, every table in a database and a schema."""

    name: str
    lineage: Lineage


def dialects() -> list[str]:
    return sorted(folder.name for folder in _GOLDEN.iterdir() if folder.is_dir() and any(folder.glob("*.sql")))


def samples(dialect: str) -> Iterator[Sample]:
    for file in sorted((_GOLDEN / dialect).glob("*.sql")):
        text = file.read_text(encoding="utf-8")
        known = next((found[1] for line in text.splitlines() if (found := _METADATA.match(line))), None)
        lineage = analyze(
            text,
            dialect,
            metadata=json.loads(known) if known else None,
            default_database="db",
            default_schema="sch",
        )
        if lineage.model.layers < 3 or all(
            entity.database and entity.schema for entity in lineage.model.entities if entity.kind in ("table", "view")
        ):
            # A USE of the script may leave a table without a schema of ours: where it lies is the server's secret.
            yield Sample(file.stem, lineage)
