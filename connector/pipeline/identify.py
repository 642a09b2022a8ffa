"""Which statements a text holds, as the job's query identity counts them."""

from __future__ import annotations

from collections.abc import Sequence
from threading import local

from connector.hashing import text_hash
from connector.model import Script
from connector.pipeline.state import change_state
from connector.pipeline.units import Identified, Question
from connector.sql.dialects import get_dialect
from connector.sql.identity import identity_hash
from connector.sql.outlines import ShapeMemory, outline_of
from connector.sql.split import read_statements

__all__ = ["identify", "identify_all"]


class _Memories(local):
    """The shapes that a thread has met, as long as it lives."""

    def __init__(self) -> None:
        self.shapes: ShapeMemory[Identified] = ShapeMemory()


_MEMORIES = _Memories()


def identify(question: Question) -> Identified:
    """The identities of the statements in a text."""
    dialect = get_dialect(question.dialect)
    outline = outline_of(question.text, dialect) if question.mode == "shape" else None
    if outline is not None:
        known = _MEMORIES.shapes.find(outline)
        if known is not None:
            return known
    read = read_statements(Script(question.text), dialect)
    if not read.statements:
        # What cannot even be cut into words is still something that the log holds, and that has to be reported.
        return Identified((text_hash(question.text),) if read.problems else ())
    identities = tuple(identity_hash(statement, dialect, question.mode) for statement in read.statements)
    answer = Identified(identities, change_state(read.statements, dialect))
    if outline is not None and not read.problems:
        _MEMORIES.shapes.keep(outline, question.text, dialect, read.statements, answer)
    return answer


def identify_all(questions: Sequence[Question]) -> list[Identified]:
    """The same for many, as the task of a guard."""
    return [identify(question) for question in questions]
