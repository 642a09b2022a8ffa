"""The outline of a text: everything except its literals, found without a tokenizer.

Most rows of a query log differ from an earlier row in a date or a number alone. Two texts with the same outline have the
same tokens, except for the texts of the literals that were taken out, so what the tokenizer, the cutting and the shape
say of one of them holds for the other. That is why only literals are taken out that have no meaning for lineage:

- strings of digits with the signs of dates and times, single words with a digit in them, and groups of hexadecimal
  digits: no place, no qualified name and no SQL (`says_where`), no word of any grammar, no placeholder, no line end;
- numbers that stand by themselves.

All other quoted text and every comment stay in the outline as they are. A text in which quotes, comments or literals
could be seen in two ways has no outline, and is read the long way.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import md5
from typing import Generic, NamedTuple, TypeVar

from connector.sql.dialects import SqlDialect
from connector.sql.identity import free_literals
from connector.sql.statement import Statement

_Answer = TypeVar("_Answer")

_LONGEST = 20_000
"""Longer texts have no outline: they seldom come back, and outlines are kept."""

_FREE = (
    r"[0-9](?:[0-9.,+ TZ\-/]|:(?!/))*"
    r"|(?![Ss][Pp]_)[A-Za-z_]*[0-9][0-9A-Za-z_]*"
    r"|[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)+"
)
"""The content of strings that are taken out. Where one of these ends, the string has to end."""

_COLUMNS = 5
"""Of each place: the first character; a string that is taken out; what stays; a whole number; a decimal number."""


class Outline(NamedTuple):
    """What is left of a text, and the literals that were taken out of it, in order."""

    key: bytes
    """Equal for texts that are the same but for their literals. A digest, because a log has many of them to remember."""
    literals: tuple[str, ...]


class _Signs(NamedTuple):
    """How literals, quoted text and comments look in one dialect, and what makes a text ambiguous."""

    places: re.Pattern[str]
    never: tuple[str, ...]
    """What no text with an outline holds."""
    dashes: re.Pattern[str]
    """What no text with an outline holds where it has two dashes."""


_NEVER = ("\\", "{", "\0", "$(", "%(", "'''", '"""', "q'", "Q'", "MAGIC")
"""Escapes, templates, placeholders, further kinds of quotes, and the signs of a notebook."""
_HEREDOC = re.compile(r"\$\w*\$")
_COMMENT = re.compile(r"/\*(?:[+!M]|(?s:(?:(?!\*/).)*)/\*)")
"""Hints, conditional comments and nested comments."""


@cache
def _signs(dialect: SqlDialect) -> _Signs:
    tokenizer = dialect.sqlglot.tokenizer_class
    # Every branch looks back at the first character. The search runs from one such character to the next, which costs
    # next to nothing; with branches that begin in different ways it would try them all at every letter.
    stays = [r"(?<=')[^']*(?:''[^']*)*'", r'(?<=")[^"]*(?:""[^"]*)*"', r"(?<=-)-[^\r\n]*", r"(?<=/)\*(?s:.*?)\*/"]
    first = "'\"\\-/0-9"
    never = [*_NEVER, *(opening for opening in tokenizer._COMMENTS if opening not in ("--", "/*"))]
    if "`" in tokenizer._IDENTIFIERS or "`" in tokenizer._QUOTES:
        stays.append(r"(?<=`)[^`]*(?:``[^`]*)*`")
        first += "`"
    else:
        never.append("`")
    if "[" in tokenizer._IDENTIFIERS:
        stays.append(r"(?<=\[)[^\]]*(?:\]\][^\]]*)*\]")
        first += r"\["
    places = re.compile(
        rf"([{first}])(?:"
        rf"(?<=')(?<![\w&$@#]')((?:{_FREE})?)'(?!')"
        rf"|({'|'.join(stays)})"
        r"|(?<=[0-9])(?<![\w.$@#&%?~^][0-9])(?:([0-9]*)|([0-9]*\.[0-9]+))(?![\w.$@#]))"
    )
    dashes = r"--\S|\r(?!\n)" if getattr(tokenizer, "DASH_COMMENT_REQUIRES_BOUNDARY", True) else r"\r(?!\n)"
    return _Signs(places, tuple(never), re.compile(dashes))


def _is_ambiguous(text: str, signs: _Signs) -> bool:
    """Whether quotes and comments could be seen in more than one way, or literals stand where they mean more."""
    for sign in signs.never:
        if sign in text:
            return True
    return (
        ("$" in text and _HEREDOC.search(text) is not None)
        or ("/*" in text and _COMMENT.search(text) is not None)
        or ("--" in text and signs.dashes.search(text) is not None)
    )


def outline_of(text: str, dialect: SqlDialect) -> Outline | None:
    """The outline of a text; None where it has none."""
    if len(text) > _LONGEST:
        return None
    signs = _signs(dialect)
    if _is_ambiguous(text, signs):
        return None
    pieces = signs.places.split(text)
    width = _COLUMNS + 1
    between = "\0".join(pieces[0::width])
    if "'" in between or '"' in between or "/*" in between:
        # A quote or a comment that is never closed.
        return None
    kinds: list[str] = []
    literals: list[str] = []
    for first, string, stays, whole, decimal in zip(
        pieces[1::width], pieces[2::width], pieces[3::width], pieces[4::width], pieces[5::width], strict=True
    ):
        if stays is not None:
            kinds.append(first + stays)
        elif whole is not None:
            kinds.append("1")
            literals.append(first + whole)
        elif decimal is not None:
            kinds.append("1.0")
            literals.append(first + decimal)
        else:
            kinds.append("")
            literals.append(string)
    # No text with an outline has a null character in it, so no two of them give the same words.
    words = "\0".join([dialect.name, between, *kinds]).encode("utf-8", "surrogatepass")
    return Outline(md5(words, usedforsecurity=False).digest(), tuple(literals))


class _Known(Generic[_Answer]):
    """What is known of the texts with one outline."""

    __slots__ = ("answers", "counting")

    def __init__(self, counting: frozenset[int]) -> None:
        self.counting = sorted(counting)
        """Which of the literals of the outline count for the shape."""
        self.answers: dict[tuple[str, ...], _Answer] = {}
        """By these literals."""

    def literals(self, outline: Outline) -> tuple[str, ...]:
        return tuple([outline.literals[place] for place in self.counting]) if self.counting else ()


class ShapeMemory(Generic[_Answer]):
    """Answers for texts of the same shape, found by their outlines.

    An answer may depend on the shapes of the statements in a text, and on nothing else.
    """

    __slots__ = ("_count", "_known", "_most")

    def __init__(self, most: int = 50_000) -> None:
        self._known: dict[bytes, _Known[_Answer]] = {}
        self._count = 0
        self._most = most
        """So many answers are kept, each of half a kilobyte; with one more all are forgotten. A log with more shapes than that,
        which come in turn, is read the long way."""

    def find(self, outline: Outline) -> _Answer | None:
        """The answer for a text that differs from a known one only in literals that do not count."""
        known = self._known.get(outline.key)
        return known.answers.get(known.literals(outline)) if known is not None else None

    def keep(
        self, outline: Outline, text: str, dialect: SqlDialect, statements: list[Statement], answer: _Answer
    ) -> None:
        """Notes the answer for a text whose statements were read."""
        if self._count >= self._most:
            self._known.clear()
            self._count = 0
        free = {
            (statement.base + statement.tokens[i].start, statement.base + statement.tokens[i].end + 1)
            for statement in statements
            for i in free_literals(statement)
        }
        counting = frozenset(n for n, place in enumerate(_literal_places(text, dialect)) if place not in free)
        known = self._known.get(outline.key)
        if known is None or not counting.issubset(known.counting):
            # One literal may decide about another: from now on all count that did so in any text.
            known = _Known(counting.union(known.counting) if known is not None else counting)
            self._known[outline.key] = known
        known.answers[known.literals(outline)] = answer
        self._count += 1


def _literal_places(text: str, dialect: SqlDialect) -> list[tuple[int, int]]:
    """Where the literals of an outline stand: first offset, and the offset after, quotes included."""
    found = _signs(dialect).places.finditer(text)
    return [match.span() for match in found if match[3] is None]
