"""The small logs in ``logs``: for each preset a file with the vendor's columns, and what is read from it.

The expected records are in ``<preset>.expected.json``, without the fields that have their default; LINEAGE_UPDATE=1 writes
them anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from connector.sources import LogSource, SourceStatement, Tally
from connector.sources.logs.layout import preset_names

FOLDER = Path(__file__).parent / "logs"
PRESETS = preset_names()

_DEFAULTS = {field.name: field.default for field in fields(SourceStatement)}


def vendor_log(preset: str) -> LogSource:
    """The log of a preset, with its second export where it has one."""
    (file,) = [path for path in FOLDER.glob(f"{preset}.*") if path.suffixes[0] not in (".texts", ".expected")]
    texts = sorted(str(path) for path in FOLDER.glob(f"{preset}.texts.*"))
    return LogSource(name=preset, paths=(str(file),), preset=preset, texts=tuple(texts))


def expected_file(preset: str) -> Path:
    return FOLDER / f"{preset}.expected.json"


def as_document(statements: Iterable[SourceStatement], tally: Tally) -> str:
    """What was read, in a form that a person can compare."""
    rows = [_shown(statement) for statement in statements]
    return json.dumps({"tally": asdict(tally), "statements": rows}, indent=2, ensure_ascii=False) + "\n"


def _shown(statement: SourceStatement) -> dict[str, Any]:
    found = {name: value for name, value in asdict(statement).items() if value != _DEFAULTS[name]}
    if statement.started_at is not None:
        found["started_at"] = statement.started_at.isoformat()
    return found


def in_order(statements: Iterable[SourceStatement]) -> list[SourceStatement]:
    """Sorted, for comparing what comes in any order."""
    return sorted(statements, key=lambda each: (each.run_id or "", each.text, each.sequence))
