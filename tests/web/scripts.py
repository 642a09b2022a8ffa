"""Scripts of a given length."""

from __future__ import annotations

from pathlib import Path

WAREHOUSE = Path(__file__).parents[2] / "examples" / "warehouse"


def script_of(lines: int) -> str:
    """The example warehouse, cut behind the statement with that line in it."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(WAREHOUSE.glob("*.sql"))).splitlines()
    end = next(at for at in range(lines, len(text)) if text[at].rstrip().endswith(";"))
    return "\n".join(text[: end + 1])
