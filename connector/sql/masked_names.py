"""Names that engines derive from expressions, without the literals in them.

``select case when card = '4555…' then 1 end from t`` yields a column whose name contains the card number. Inside the model the
column keeps that name, because other statements refer to it. Outputs that mask the text of statements use the masked name.
"""

from __future__ import annotations

from hashlib import sha256

from connector.model import Model
from connector.naming import unquote
from connector.sql.dialects import SqlDialect
from connector.sql.identity import mask_literals

__all__ = ["SHORTEST_NUMBER", "mask_name", "mask_names"]

SHORTEST_NUMBER = 3
"""Numbers with fewer digits are kept: they disclose nothing, and ``count(1)`` and ``round(price, 2)`` stay the engine's own names."""
_DIGITS = 6


def mask_name(name: str, expression: str, dialect: SqlDialect) -> str | None:
    """The name of a column made from this expression without its literals; None if it contains none.

    A few digits of a digest are appended. Without them, two expressions that differ in literals alone would become one column;
    with them, a name is the same in every statement, run and script.
    """
    if not any(sign in expression for sign in "'\"$") and not any(map(str.isdigit, expression)):
        return None
    masked = " ".join(mask_literals(expression, dialect, shortest=SHORTEST_NUMBER).split())
    if masked == " ".join(expression.split()):
        return None
    return f"{masked} #{sha256(name.encode('utf-8', 'replace')).hexdigest()[:_DIGITS]}"


def mask_names(model: Model, dialect: SqlDialect) -> None:
    """Sets the masked names in a model that was read from an export, which does not say which names were derived."""
    for entity in model.entities:
        for column in entity.columns.values():
            name = column.name
            if not name.isidentifier() and unquote(name) == name:
                column.masked = mask_name(name, name, dialect)
