"""Comments that a server executes: ``/*!50001 CREATE VIEW … */``, as MySQL's dumps are full of them."""

from __future__ import annotations

import re

from connector.sql.dialects import SqlDialect
from connector.sql.lexemes import lexemes
from connector.sql.words import spaces

__all__ = ["open_conditional_comments"]

_OPENING = re.compile(r"/\*M?!\d*")


def open_conditional_comments(text: str, dialect: SqlDialect) -> str:
    """The text without the signs around such comments, each place as it was."""
    if not dialect.family.executes_comments or ("/*!" not in text and "/*M!" not in text):
        return text
    pieces = []
    behind = 0
    for kind, start, end in lexemes(text, dialect):
        opening = _OPENING.match(text, start, end) if kind == "comment" else None
        if opening is None:
            continue
        pieces += [text[behind:start], spaces(opening[0]), text[opening.end() : end - 2], "  "]
        behind = end
    pieces.append(text[behind:])
    return "".join(pieces)
