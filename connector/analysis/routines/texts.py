"""The text in a variable: a sequence of parts, some of which depend on a condition.

A procedure that adds twenty optional parts to a text can make a million texts of it. They are not all needed to know what
is read and written, so the parts are kept apart and put together only when the text is run: all optional parts at once,
and of real alternatives each at least once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token

from connector.analysis.nameless import NAMELESS
from connector.model import Script
from connector.sql.dialects import SqlDialect
from connector.sql.statement import Statement

UNKNOWN = NAMELESS
"""How the name begins that stands in a text for an unknown part."""
LITERAL = f"{NAMELESS}v"
"""The same for a part that is a single value for sure: a number or date that was made a text."""
_PRODUCT_LIMIT = 8
"""So many texts may come of combining alternatives with each other."""
_LIMIT = 64
"""So many texts are followed at all."""
_LENGTH_LIMIT = 1_000_000


@dataclass(slots=True, frozen=True)
class Text:
    """A text with the script offset of each of its letters."""

    text: str
    origins: tuple[int, ...]

    def __add__(self, other: Text) -> Text:
        return Text(self.text + other.text, self.origins + other.origins)

    @property
    def complete(self) -> bool:
        return UNKNOWN not in self.text


@dataclass(slots=True, frozen=True, eq=False)
class Choice:
    """A part that is one of several values, as a condition decides. A blank one: the part may be missing."""

    options: tuple[Value, ...]
    width: int
    """How many texts it takes to see every option."""

    @property
    def optional(self) -> bool:
        return any(map(_is_blank, self.options))


Value = tuple["Text | Choice", ...]


def _is_blank(value: Value) -> bool:
    """Whether a value is nothing, or white space."""
    return all(isinstance(part, Text) and not part.text.strip() for part in value)


def literal(text: str, offset: int) -> Text:
    """A text that stands nowhere in the script; all its letters come from one place."""
    return Text(text, (offset,) * len(text))


def choice_of(values: Iterable[Value]) -> Value:
    """The value that is one of these: what they have in common at the beginning stays, the rest is a choice."""
    found: list[Value] = []
    for value in values:
        if not any(_same(value, other) for other in found):
            found.append(value)
    if not found:
        return ()
    if len(found) == 1:
        return found[0]
    shortest = min(map(len, found))
    first = found[0]
    start = 0
    while start < shortest and all(other[start] is first[start] for other in found):
        start += 1
    rests = tuple(value[start:] for value in found)
    return (*first[:start], Choice(rests, sum(map(_width, rests))))


def _same(left: Value, right: Value) -> bool:
    if len(left) != len(right):
        return False
    for one, other in zip(left, right, strict=True):
        if one is not other and (one.__class__ is Choice or other.__class__ is Choice or one != other):
            return False
    return True


def _width(value: Value) -> int:
    return max((part.width for part in value if isinstance(part, Choice)), default=1)


def render(value: Value) -> tuple[list[Text], bool]:
    """The texts that show every part of a value, and whether these are all of them.

    Optional parts all stand in the first text. Where few alternatives are left, each is combined with each; where there
    are many, each comes once.
    """
    alternatives: list[Choice] = []
    _alternatives(value, alternatives)
    total = 1
    for choice in alternatives:
        total *= len(choice.options)
        if total > _PRODUCT_LIMIT:
            break
    found: dict[str, Text] = {}
    if total <= _PRODUCT_LIMIT:
        for picked in product(*(range(len(choice.options)) for choice in alternatives)):
            _keep(found, value, dict(zip(map(id, alternatives), picked, strict=True)), 0)
        return list(found.values()), True
    width = _width(value)
    for variant in range(min(width, _LIMIT)):
        _keep(found, value, {}, variant)
    return list(found.values()), width <= _LIMIT


def singles(value: Value) -> list[Text]:
    """The texts with one optional part each, for parts that cannot stand beside each other, and that without any."""
    optional = [part for part in value if isinstance(part, Choice) and part.optional]
    found: dict[str, Text] = {}
    for alone in [None, *optional[:_LIMIT]]:
        kept = tuple(part for part in value if part not in optional or part is alone)
        _keep(found, kept, {}, 0)
    return list(found.values())


def _alternatives(value: Value, found: list[Choice]) -> None:
    """The choices between parts of which one is there for sure, those inside other choices included."""
    for part in value:
        if isinstance(part, Choice):
            if not part.optional and part not in found:
                found.append(part)
            for option in part.options:
                _alternatives(option, found)


def _keep(found: dict[str, Text], value: Value, picked: dict[int, int], variant: int) -> None:
    texts: list[str] = []
    origins: list[int] = []
    _put(value, picked, variant, texts, origins)
    text = "".join(texts)
    if len(text) <= _LENGTH_LIMIT:
        found.setdefault(text, Text(text, tuple(origins)))


def _put(value: Value, picked: dict[int, int], variant: int, texts: list[str], origins: list[int]) -> None:
    for part in value:
        if isinstance(part, Text):
            texts.append(part.text)
            origins.extend(part.origins)
        elif id(part) in picked:
            _put(part.options[picked[id(part)]], picked, variant, texts, origins)
        else:
            _put_variant(part, picked, variant % part.width, texts, origins)


def _put_variant(choice: Choice, picked: dict[int, int], variant: int, texts: list[str], origins: list[int]) -> None:
    """One of the texts of a choice; those in which something stands come first."""
    for option in sorted(choice.options, key=_is_blank):
        width = _width(option)
        if variant < width:
            _put(option, picked, variant, texts, origins)
            return
        variant -= width


class DynamicScript(Script):
    """The text of a dynamic statement; places in it are places in the script that makes it.

    The beginning of the text is that of the EXECUTE statement, and so is the offset after its end.
    """

    __slots__ = ("_end", "_origin", "_origins", "_start")

    def __init__(self, origin: Script, text: Text, start: int, end: int) -> None:
        super().__init__(text.text, origin.index, origin.name)
        self._origin = origin
        self._origins = text.origins
        self._start = start
        self._end = end

    def part(self, start: int, end: int) -> Text:
        """A part of the text, with the places of its letters."""
        return Text(self.text[start:end], self._origins[start:end])

    def position(self, offset: int) -> tuple[int, int]:
        if offset <= 0:
            return self._origin.position(self._start)
        if offset > len(self._origins):
            return self._origin.position(self._end)
        if offset == len(self._origins):
            return self._origin.position(self._origins[-1] + 1)
        return self._origin.position(
            self._origins[offset - 1] + 1 if self._ends_here(offset) else self._origins[offset]
        )

    def _ends_here(self, offset: int) -> bool:
        """Whether the letters before and at the offset come from different places."""
        return self._origins[offset] not in (self._origins[offset - 1], self._origins[offset - 1] + 1)


_LEXEME = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)""",
    re.DOTALL,
)
_SQL = re.compile(r"\s*(?:insert|update|delete|merge|create|select|with|truncate|copy)\b", re.IGNORECASE)


def literal_statements(statement: Statement, body: Token, dialect: SqlDialect) -> Iterator[Statement]:
    """Each literal of a JavaScript body that is a whole statement of SQL; one that is put together is left alone."""
    script = statement.script
    base = statement.base
    text = script.text
    end = body.end + 1 + base
    for match in _LEXEME.finditer(text, body.start + base, end):
        literal = match["string"]
        if literal is None or "${" in literal or "\\" in literal or not _SQL.match(literal, 1):
            continue
        if _is_joined(text, match.start(), match.end(), end):
            continue
        start = match.start() + 1
        try:
            tokens = dialect.sqlglot.tokenize(literal[1:-1])
        except TokenError:
            continue
        for token in tokens:
            token.start += start
            token.end += start
        while tokens and tokens[-1].text == ";":
            tokens.pop()
        if len(tokens) > 2:
            stop = tokens[-1].end + 1
            yield Statement(script, 0, tokens, tokens[0].start, stop, stop)


def _is_joined(text: str, start: int, end: int, stop: int) -> bool:
    """Whether a plus before or after joins the literal with something else."""
    before = text[max(start - 200, 0) : start].rstrip()[-1:]
    behind = text[end : min(end + 200, stop)].lstrip()[:1]
    return before == "+" or behind == "+"
