"""Names that engines derive from expressions, without the literals in them.

``select case when card = '4555…' then 1 end from t`` yields a column whose name contains the card number. Inside the model the
column keeps that name, because other statements refer to it. Outputs that mask the text of statements use the masked name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

from sqlglot.tokenizer_core import Token

from connector.model import Model
from connector.naming import unquote
from connector.sql.dialects import SqlDialect
from connector.sql.identity import mask_literals, mask_tokens, may_hold_credential

SHORTEST_NUMBER = 3
"""Numbers with fewer digits are kept: they disclose nothing, and ``count(1)`` and ``round(price, 2)`` stay the engine's own names."""
_DIGITS = 6
_LONG_NUMBER = re.compile(r"(?<!\w)\d[\w.+-]{2}|\.\d|--|/[*/]|#", re.ASCII)
"""The beginning of what may be a number of three characters or more, or a comment; digits inside of a word are neither."""


class DerivedName(str):
    """A name that consists of values in the text, such as the columns of a PIVOT, with the name that does not disclose them.

    The name of a real column may be the same word, so the masked name is not looked up by the word: it is passed on with
    this object, through stars and into the tables that are created. A name that a statement spells out is an ordinary one.
    """

    masked: str

    def __new__(cls, name: str, masked: str) -> DerivedName:
        found = super().__new__(cls, name)
        found.masked = masked
        return found

    def __reduce__(self) -> tuple[type[DerivedName], tuple[str, str]]:
        return DerivedName, (str(self), self.masked)


def derived_names(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The derived ones among some names, each with its masked form."""
    return tuple((str(name), name.masked) for name in names if isinstance(name, DerivedName))


def mask_values(name: str, values: Iterable[str]) -> str:
    """A name made of some values; it stays as it is if all of them are short numbers or empty."""
    masked = name
    for value in values:
        if value and not (value.isdigit() and len(value) < SHORTEST_NUMBER):
            masked = _without(value, masked)
    return name if masked == name else DerivedName(name, _with_digest(masked, name))


def _without(value: str, name: str) -> str:
    """The name without a value, which stands at one of its ends, or between other values."""
    for written in (f"'{value}'", value):
        if name.startswith(written):
            return "?" + name[len(written) :]
        if name.endswith(written):
            return name[: -len(written)] + "?"
    return name.replace(value, "?")


def mask_name(name: str, expression: str, dialect: SqlDialect, tokens: list[Token] | None = None) -> str | None:
    """The name of a column made from this expression without its literals; None if it contains none.

    `tokens` are those of the expression, if they are known already. A few digits of a digest are appended. Without
    them, two expressions that differ in literals alone would become one column; with them, a name is the same in every
    statement, run and script.
    """
    if not may_hold_literal(expression):
        return None
    if tokens:
        masked = mask_tokens(expression, tokens, tokens[0].start, shortest=SHORTEST_NUMBER)
    else:
        masked = mask_literals(expression, dialect, shortest=SHORTEST_NUMBER)
    masked = " ".join(masked.split())
    if masked == " ".join(expression.split()):
        return None
    return _with_digest(masked, name)


def may_hold_literal(expression: str) -> bool:
    """Whether it is worth reading the tokens: there are quotes, numbers that are not kept, or words that name a secret."""
    if "'" in expression or '"' in expression or "$" in expression:
        return True
    if not any(map(str.isdigit, expression)):
        return False
    return not expression.isascii() or bool(_LONG_NUMBER.search(expression)) or may_hold_credential(expression)


def _with_digest(masked: str, name: str) -> str:
    return f"{masked} #{sha256(name.encode('utf-8', 'replace')).hexdigest()[:_DIGITS]}"


def mask_names(model: Model, dialect: SqlDialect) -> None:
    """Sets the masked names in a model that was read from an export, which does not say which names were derived."""
    for entity in model.entities:
        for column in entity.columns.values():
            name = column.name
            if not name.isidentifier() and unquote(name) == name:
                column.masked = mask_name(name, name, dialect)
