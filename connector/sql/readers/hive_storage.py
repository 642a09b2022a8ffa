"""Columns that a Hive table has without a column list: those of its Avro schema, and those its storage adds."""

from __future__ import annotations

import json
from typing import Any

from connector.sql.readers.cursor import Cursor
from connector.sql.readers.readings import ColumnDefinition
from connector.sql.tolerant import NameRef
from connector.sql.words import STRINGS

__all__ = ["avro_columns", "handler_columns"]

_AVRO = "avro.schema.literal"
_KAFKA = "KafkaStorageHandler"
_KAFKA_COLUMNS = ("__key", "__partition", "__offset", "__timestamp")


def avro_columns(cursor: Cursor, start: int) -> list[ColumnDefinition]:
    """The fields of the schema that the properties of the table hold, none when they hold none."""
    for token, value in zip(cursor.tokens[start:], cursor.tokens[start + 2 :], strict=False):
        if token.token_type in STRINGS and token.text == _AVRO and value.token_type in STRINGS:
            try:
                schema: Any = json.loads(value.text)
            except ValueError:
                return []
            fields = schema.get("fields") if isinstance(schema, dict) else None
            names = [entry.get("name") for entry in fields or () if isinstance(entry, dict)]
            return [_column(name) for name in names if isinstance(name, str) and name]
    return []


def handler_columns(cursor: Cursor, start: int) -> list[ColumnDefinition]:
    """``STORED BY '…KafkaStorageHandler'`` puts the place of the message behind the columns of the table."""
    for i in range(start, cursor.stop - 1):
        if cursor.word_at(i) == "BY" and cursor.word_at(i - 1) == "STORED":
            token = cursor.tokens[i + 1]
            if token.token_type in STRINGS and token.text.endswith(_KAFKA):
                return [_column(name) for name in _KAFKA_COLUMNS]
    return []


def _column(name: str) -> ColumnDefinition:
    return ColumnDefinition(NameRef([(name, False)], -1, -1))
