"""What the analysis of a unit gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from connector.model import Model
from connector.pipeline.flat import FlatModel
from connector.pipeline.restoring import restore
from connector.store.portable import StoreRows

__all__ = ["Status", "UnitResult"]

Status = Literal["ok", "failed"]


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
    flat: FlatModel | None = None
    """The complete model."""
    rows: StoreRows | None = None
    """Its levels."""

    @property
    def model(self) -> Model:
        """The model itself, put together again."""
        assert self.flat is not None
        return restore(self.flat, self.texts)
