"""The cursor of the token readers: the tokens of a statement, read forward in small steps."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.tokenizer_core import Token, TokenType

from connector.naming import split_parts
from connector.sql.cursor import TokenCursor
from connector.sql.dialects import SqlDialect
from connector.sql.locations import Location, location_of
from connector.sql.readers.readings import Range
from connector.sql.statement import Statement
from connector.sql.table_names import NameRef, stands_in_variable
from connector.sql.words import CLOSING, OPENING, QUOTED, STRINGS

_TYPES_WITH_ANGLES = frozenset({"STRUCT", "ARRAY", "MAP", "NESTED", "OBJECT", "ROW", "UNIONTYPE", "TABLE", "RANGE"})
_PREFIXES = frozenset({TokenType.HASH, TokenType.PARAMETER})


class Cursor(TokenCursor):
    """Reads forward; every method that finds something moves past it, every one that does not stays."""

    __slots__ = ("dialect", "statement")

    def __init__(self, statement: Statement, dialect: SqlDialect, at: int = 0) -> None:
        super().__init__(statement.tokens, at)
        self.statement = statement
        self.dialect = dialect

    # --- looking ------------------------------------------------------------------------------------------------

    def word(self, ahead: int = 0) -> str:
        """The unquoted word or sign in upper case, empty for quoted things and after the end."""
        # As `word_at`: this is asked more than all else.
        i = self.i + ahead
        if 0 <= i < self.stop:
            token = self.tokens[i]
            if token.token_type not in QUOTED:
                text = token.text.upper()
                return text if len(text) == 1 or text.isidentifier() else " ".join(text.split())
        return ""

    def kind(self, ahead: int = 0) -> TokenType | None:
        return self.kind_at(self.i + ahead)

    def at(self, *words: str) -> bool:
        """Whether these words come next."""
        return self.words(self.i, *words)

    def at_end(self) -> bool:
        return self.i >= self.stop

    def at_string(self) -> bool:
        return self.kind() in STRINGS

    def text_of(self, start: int, end: int) -> str:
        """The script's text between two offsets of tokens."""
        base = self.statement.base
        return self.statement.script.text[start + base : end + base]

    def close(self, i: int) -> int:
        """The token that closes the bracket at `i`."""
        return self.statement.index.close(i)

    def find(self, *words: str, start: int | None = None, end: int | None = None) -> int:
        """The first of these words outside of parentheses and CASE, -1 when none is there."""
        stop = self.stop if end is None else end
        found = self.seek(self.i if start is None else start, *words, stop=stop)
        return found if found < stop else -1

    # --- moving -------------------------------------------------------------------------------------------------

    def take(self, *words: str) -> bool:
        """Moves past these words if they come next."""
        if self.at(*words):
            self.i += len(words)
            return True
        return False

    def take_any(self, *words: str) -> bool:
        """Moves past one word if it is among these."""
        if self.word() in words:
            self.i += 1
            return True
        return False

    def past(self, *words: str) -> bool:
        """Moves past the first of these words outside of parentheses and CASE, if there is one."""
        found = self.find(*words)
        if found < 0:
            return False
        self.i = found + 1
        return True

    def skip_if_exists(self) -> None:
        if self.word() == "IF":
            self.take("IF", "NOT", "EXISTS") or self.take("IF", "EXISTS")

    def created_name(self) -> NameRef | None:
        """The name of what is created or dropped: IF [NOT] EXISTS may come before it."""
        self.skip_if_exists()
        return self.name()

    def string(self) -> str | None:
        """The value of a string."""
        if self.at_string():
            self.i += 1
            return self.tokens[self.i - 1].text
        return None

    def group(self) -> Range | None:
        """The tokens inside the brackets that open here."""
        if self.kind() not in OPENING:
            return None
        first = self.i + 1
        closed = self.close(self.i)
        self.i = closed + 1
        return first, closed

    def items(self, inside: Range) -> Iterator[Range]:
        """The parts of a list between its commas."""
        first, end = inside
        start = i = first
        angles = 0
        while i < end:
            token = self.tokens[i]
            kind = token.token_type
            if kind in OPENING:
                i = min(self.close(i), end)
            elif kind is TokenType.LT and (angles or self.word_at(i - 1) in _TYPES_WITH_ANGLES):
                angles += 1
            elif angles and token.text and not token.text.strip(">"):
                angles = max(0, angles - len(token.text))
            elif kind is TokenType.COMMA and not angles:
                if i > start:
                    yield start, i
                start = i + 1
            i += 1
        if end > start:
            yield start, end

    # --- names --------------------------------------------------------------------------------------------------

    def name(self) -> NameRef | None:
        """A dotted name, with empty parts where two dots meet."""
        start = self.i
        parts: list[tuple[str, bool]] = []
        if stands_in_variable(self.tokens, start):
            return None
        while self.i < self.stop:
            part = self._part(not parts)
            if part is None:
                break
            parts.extend(part)
            if self.kind() is not TokenType.DOT:
                break
            self.i += 1
            if self.kind() is TokenType.DOT:
                parts.append(("", False))
                self.i += 1
        if not parts:
            self.i = start
            return None
        return NameRef(parts, self.tokens[start].start, self.tokens[self.i - 1].end + 1)

    def names(self, inside: Range) -> list[NameRef]:
        """The names that a list begins its items with."""
        found: list[NameRef] = []
        back = self.i
        for start, end in self.items(inside):
            self.i = start
            name = self.name()
            if name is not None and self.i <= end:
                found.append(name)
        self.i = back
        return found

    def name_list(self) -> list[NameRef]:
        """The names in the parenthesis that opens here, none when there is no parenthesis."""
        if self.kind() is not TokenType.L_PAREN:
            return []
        inside = self.group()
        return self.names(inside) if inside is not None else []

    def named_string(self) -> NameRef | None:
        """A name that stands in a string."""
        if not self.at_string():
            return self.name()
        token = self.tokens[self.i]
        self.i += 1
        text = self.text_of(token.start, token.end + 1)
        inset = text.find(token.text) if token.text else -1
        start = token.start + max(inset, 0)
        parts = [(part, False) for part in split_parts(token.text)]
        return NameRef(parts, start, start + len(token.text) if inset >= 0 else token.end + 1)

    def _part(self, first: bool) -> list[tuple[str, bool]] | None:
        token = self.tokens[self.i]
        kind = token.token_type
        if kind is TokenType.IDENTIFIER:
            self.i += 1
            if self.dialect.dots_in_quotes and "." in token.text:
                return [(part, True) for part in token.text.split(".")]
            return [(token.text, True)]
        prefix = ""
        i = self.i
        while kind in _PREFIXES and i + 1 < self.stop and self.tokens[i + 1].start == token.end + 1:
            prefix += token.text
            i += 1
            token = self.tokens[i]
            kind = token.token_type
        text = token.text
        if kind in STRINGS or not text or (len(text) == 1 and not (text.isalnum() or text == "_")):
            return None
        if text[0].isdigit():
            # Some dialects have names that begin with a digit, and their tokenizers know it.
            if first and kind is not TokenType.VAR:
                return None
        elif not (text[0].isalpha() or text[0] in "_$#{&%@:"):
            return None
        i += 1
        while (
            i + 1 < self.stop
            and self.tokens[i].token_type is TokenType.DASH
            and self.tokens[i].start == self.tokens[i - 1].end + 1
            and self.tokens[i + 1].start == self.tokens[i].end + 1
        ):
            text += "-" + self.tokens[i + 1].text
            i += 2
        if (
            text[-1].isdigit()
            and text.isdigit()
            and i < self.stop
            and self.tokens[i].start == self.tokens[i - 1].end + 1
        ):
            # BigQuery: a name that begins with a digit comes in two tokens.
            if self.tokens[i].token_type is TokenType.VAR:
                text += self.tokens[i].text
                i += 1
        self.i = i
        return [(prefix + text, False)]

    # --- places -------------------------------------------------------------------------------------------------

    def location(self, local: bool = False, placed: bool = True) -> Location | None:
        """A stage, a string with a path, or a bare path."""
        if self.kind() is TokenType.PARAMETER and self.word() == "@":
            return self._stage()
        if self.at_string():
            token = self.tokens[self.i]
            self.i += 1
            stage = self._stage_in(token)
            if stage is not None:
                return stage
            start, end = (token.start, token.end + 1) if placed else (-1, -1)
            return location_of(token.text, "'", start, end, local)
        return None

    def bare_path(self, local: bool = False) -> Location | None:
        """A path without quotes: it reaches as far as no space stands between the tokens."""
        found = self.location(local)
        if found is not None or self.at_end():
            return found
        start = self.tokens[self.i].start
        self.i += 1
        while not self.at_end() and self.tokens[self.i].start == self.tokens[self.i - 1].end + 1:
            self.i += 1
        end = self.tokens[self.i - 1].end + 1
        return location_of(self.text_of(start, end), "", start, end, local)

    def bound_path(self) -> Location | None:
        """A path in a variable of the client: ``:folder``, ``:'folder'``."""
        found = self.bare_path() if self.word()[:1] == ":" else None
        return location_of(found.uri.replace("'", ""), "", found.start, found.end) if found is not None else None

    def locations(self, local: bool = False, placed: bool = True) -> list[Location]:
        """One place, or several between commas with or without brackets around them."""
        if self.kind() in OPENING:
            inside = self.group()
            assert inside is not None
            behind, self.i = self.i, inside[0]
            found = self._listed(inside[1], local, placed)
            self.i = behind
            return found
        return self._listed(self.stop, local, placed)

    def _listed(self, end: int, local: bool, placed: bool) -> list[Location]:
        found: list[Location] = []
        while self.i < end:
            location = self.location(local, placed)
            if location is None:
                break
            found.append(location)
            if self.i >= end or self.kind() is not TokenType.COMMA or self.kind(2) is TokenType.EQ:
                # 'path' = '…', 'format' = '…': another option follows.
                break
            self.i += 1
        return found

    def _stage(self) -> Location | None:
        """``@stage``, ``@db.schema.stage/path``, ``@%table`` and ``@~``: the path inside of the stage is no part of it."""
        first = self.tokens[self.i]
        self.i += 1
        sign = ""
        if self.kind() in (TokenType.MOD, TokenType.TILDE):
            sign = self.tokens[self.i].text
            self.i += 1
        name = self.name() if self._glued() and sign != "~" else None
        parts = list(name.parts) if name is not None else []
        if sign == "%" and parts:
            parts[-1] = ("%" + parts[-1][0], parts[-1][1])
        elif name is not None and self.kind() is TokenType.MOD and self._glued():
            # The stage of a table in another schema: @schema.%table
            self.i += 1
            table = self.name()
            parts += [("%" + text, quoted) for text, quoted in table.parts] if table is not None else []
        if not parts and not sign:
            self.i -= 1
            return None
        parts = parts or [(sign, False)]
        end = self.tokens[self.i - 1].end + 1
        while not self.at_end() and self._glued() and self.kind() not in CLOSING and self.kind() is not TokenType.COMMA:
            if self.kind() is TokenType.L_PAREN:
                break
            self.i += 1
        written = self.text_of(first.start + 1, end)
        return Location(written, written, first.start, end, parts=parts)

    def _stage_in(self, token: Token) -> Location | None:
        """A stage in quotes: ``'@stage/path with spaces'``."""
        if not token.text.startswith("@") or not self.dialect.stages:
            return None
        name = token.text[1:].partition("/")[0]
        if not name:
            return None
        parts = [(part, False) for part in split_parts(name)]
        return Location(name, name, token.start, token.end + 1, parts=parts)

    def _glued(self) -> bool:
        return 0 < self.i < self.stop and self.tokens[self.i].start == self.tokens[self.i - 1].end + 1
