"""The form of the page's document, which Python writes and ``assets/js/document.js`` reads.

Relations are arrays without field names, because a large store has tens of thousands of them::

    complete   [type, id, target column, [source columns], effect, clause, process, join type, condition, approximate,
                expression]
    column     [type, source column, target column, effect, clause, process, count, join type, condition, approximate,
                transformation, expression]
    table      [type, source entity, target entity, process, count]

    columns    [name, id, stands for the rows, place, further places, type, comment], inside of their entity

Columns are counted through all entities in order, entities and processes are counted from 0; -1 is no process. A place
is ``[script, start, end]`` in the units of JavaScript's strings.
"""

from __future__ import annotations

from typing import Any

__all__ = ["VERSION", "Place", "present", "trimmed"]

VERSION = 1
"""Which form a document has; the page refuses one that it does not know."""

Place = list[int]


def trimmed(row: list[Any]) -> list[Any]:
    """A row without the empty cells at its end."""
    end = len(row)
    while end and row[end - 1] is None:
        end -= 1
    return row[:end]


def present(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that say something."""
    return {key: value for key, value in fields.items() if value}
