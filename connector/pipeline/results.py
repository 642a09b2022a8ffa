"""The result of analysing a unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from connector.pipeline.units import Unit

if TYPE_CHECKING:
    from connector.model import Model
    from connector.model.rows import ModelRows
    from connector.store.level_rows import LevelRows

Status = Literal["ok", "failed"]

_KEPT = 20_000
"""Characters of a text that gives no lineage that are kept to look at."""


@dataclass(slots=True)
class UnitResult:
    """The outcome for a unit, or for a part of one that could not be analysed as a whole."""

    key: str
    part: int
    """0 for the whole. Where the guard has stopped a script, its parts are counted: what could be read of it, and each
    statement that could not."""
    status: Status
    reason: str | None
    """Of a failure: `timeout`, `memory`, `depth`, `crash`."""
    message: str | None
    source: str
    origin: str
    line: int
    dialect: str
    size: int
    """Characters of its texts."""
    texts: list[str]
    """What places in the model point into. Of a statement that failed the statement."""
    seconds: float
    """Time the analysis took. It is told to people, and no part of what is stored."""
    complete: ModelRows | None = None
    """The complete model."""
    levels: LevelRows | None = None
    """Its levels."""

    @property
    def model(self) -> Model:
        """The model itself, put together again."""
        from connector.model.rows import model_of

        assert self.complete is not None
        return model_of(self.complete, self.texts)


def failed_result(
    unit: Unit, reason: str, message: str, *, part: int = 0, texts: Sequence[str] | None = None, line: int | None = None
) -> UnitResult:
    """The row of a unit, or of a statement of it, that gives no lineage."""
    # Workers whose statements all succeed never load the parser for this.
    from connector.sql.dialects import get_dialect
    from connector.sql.identity import blank_credentials

    dialect = get_dialect(unit.dialect)
    kept = [blank_credentials(text, dialect) for text in (texts or [text.text for text in unit.texts])]
    return UnitResult(
        unit.key,
        part,
        "failed",
        reason,
        message,
        unit.source,
        unit.place,
        unit.line if line is None else line,
        unit.dialect,
        sum(map(len, kept)),
        [text[:_KEPT] for text in kept],
        0.0,
    )
