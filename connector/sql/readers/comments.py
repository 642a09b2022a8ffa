"""COMMENT ON TABLE and COMMENT ON COLUMN: what people say of an object."""

from __future__ import annotations

from connector.sql.readers.cursor import Cursor
from connector.sql.readers.readings import Comment
from connector.sql.tolerant import NameRef

__all__ = ["read_comment"]

_TABLES = frozenset({"TABLE", "VIEW", "MATERIALIZED VIEW", "COLUMN"})
_BEFORE_KIND = frozenset({"MATERIALIZED", "EXTERNAL", "FOREIGN", "DYNAMIC"})


def read_comment(cursor: Cursor) -> Comment | None:
    """Snowflake asks ``IF EXISTS`` before ON, others behind the kind; Teradata writes AS or nothing instead of IS."""
    cursor.i += 1
    cursor.skip_if_exists()
    if not cursor.take("ON"):
        return None
    while cursor.word() in _BEFORE_KIND:
        cursor.i += 1
    kind = cursor.word()
    if kind not in _TABLES:
        return None
    cursor.i += 1
    cursor.skip_if_exists()
    name = cursor.name()
    if name is None:
        return None
    cursor.take_any("IS", "AS")
    text = cursor.string()
    if text is None:
        return None
    if kind != "COLUMN":
        return Comment(name, None, text)
    if len(name.parts) < 2:
        return None
    column = NameRef([name.parts[-1]], -1, -1)
    return Comment(NameRef(name.parts[:-1], name.start, name.end), column, text)


READS = {"COMMENT": read_comment}
