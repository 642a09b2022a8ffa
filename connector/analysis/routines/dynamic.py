"""Dynamic SQL: the texts that an expression of literals and constant variables makes, and where each letter comes from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from sqlglot.tokenizer_core import Token, TokenType

from connector.model import Script
from connector.sql.procedural.walker import Walker, split_list
from connector.sql.words import STRINGS

__all__ = ["UNKNOWN", "Constants", "DynamicScript", "Text", "evaluate"]

UNKNOWN = "unknown_part_"
"""How the name begins that stands in a text for a part nobody knows."""
_LIMIT = 8
"""How many texts one expression may make; more count as unknown."""
_LENGTH_LIMIT = 1_000_000
_WRAPPERS = frozenset(
    {
        "TRIM",
        "RTRIM",
        "LTRIM",
        "TO_CHAR",
        "CAST",
        "CONVERT",
        "N",
        "TO_CLOB",
    }
)
_QUOTERS = {"QUOTENAME": ("[", "]"), "QUOTE_IDENT": ('"', '"'), "QUOTE_LITERAL": ("'", "'")}
"""Functions that make a name or a literal of a text, and the quotes they put around it."""


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


class DynamicScript(Script):
    """The text of a dynamic statement; places in it are places in the script that makes it.

    The beginning of the text is that of the EXECUTE statement, and so is the offset behind its end.
    """

    __slots__ = ("_end", "_origin", "_origins", "_start")

    def __init__(self, origin: Script, text: Text, start: int, end: int) -> None:
        super().__init__(text.text, origin.index, origin.name)
        self._origin = origin
        self._origins = text.origins
        self._start = start
        self._end = end

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


Constants = dict[str, list[Text]]
"""By folded name the texts a variable may hold; an empty list: something nobody knows."""


def evaluate(tokens: list[Token], constants: Constants, fold: object, base: int) -> list[Text]:
    """The texts an expression may make. A part that is not constant stands as a name that begins with UNKNOWN."""
    return _Evaluator(constants, fold, base).texts(tokens, 0)


class _Evaluator:
    def __init__(self, constants: Constants, fold: object, base: int) -> None:
        assert callable(fold)
        self.constants = constants
        self.fold = fold
        self.base = base

    def texts(self, tokens: list[Token], depth: int) -> list[Text]:
        parts: list[list[Text]] = []
        for piece in _concatenated(tokens):
            found = self._part(piece, depth)
            parts.append(found or [self._unknown(piece)])
        return self._combine(parts)

    def _combine(self, parts: list[list[Text]]) -> list[Text]:
        total = 1
        for part in parts:
            total *= len(part)
            if total > _LIMIT:
                return []
        found = []
        for choice in product(*parts):
            if sum(len(text.text) for text in choice) > _LENGTH_LIMIT:
                return []
            origins: list[int] = []
            for text in choice:
                origins.extend(text.origins)
            found.append(Text("".join(text.text for text in choice), tuple(origins)))
        return found

    def _unknown(self, piece: list[Token]) -> Text:
        offset = piece[0].start + self.base if piece else 0
        name = f"{UNKNOWN}{piece[0].start if piece else 0}"
        return Text(name, (offset,) * len(name))

    def _part(self, piece: list[Token], depth: int) -> list[Text]:
        """The texts of one operand; empty when it is not constant."""
        if not piece or depth > 20:
            return []
        walker = Walker(piece)
        first = piece[0]
        if len(piece) == 1 and (first.token_type in STRINGS or first.token_type is TokenType.NUMBER):
            return [self._literal(first)]
        if walker.word(0) == "(" and walker.close(0) == len(piece) - 1:
            return self.texts(piece[1:-1], depth + 1)
        name = self._variable(piece)
        if name is not None:
            return self.constants.get(name, [])
        if len(piece) > 3 and walker.word(1) == "(" and walker.close(1) == len(piece) - 1:
            return self._call(walker.word(0), split_list(piece[2:-1]), depth)
        return []

    def _variable(self, piece: list[Token]) -> str | None:
        sign = ""
        if piece[0].token_type in (TokenType.PARAMETER, TokenType.COLON):
            sign = "@" if piece[0].text == "@" else ""
            piece = piece[1:]
        if len(piece) != 1 or not Walker(piece).is_name(0):
            return None
        return str(self.fold(sign + piece[0].text, piece[0].token_type is TokenType.IDENTIFIER))

    def _call(self, name: str, arguments: list[list[Token]], depth: int) -> list[Text]:
        if name in ("CONCAT", "CONCAT_WS") and arguments:
            parts = [self.texts(argument, depth + 1) for argument in arguments]
            if name == "CONCAT_WS":
                parts = [
                    part for place, each in enumerate(parts[1:]) for part in ([parts[0], each] if place else [each])
                ]
            return self._combine(parts) if all(parts) else []
        if name == "FORMAT" and arguments:
            return self._format(arguments, depth)
        if name in _WRAPPERS and arguments:
            found = self.texts(arguments[0], depth + 1)
            return found if all(text.complete for text in found) else []
        if name in _QUOTERS and arguments:
            return self._quoted(self.texts(arguments[0], depth + 1), _QUOTERS[name])
        if name in ("CHR", "CHAR", "NCHAR") and len(arguments) == 1 and arguments[0][0].text.isdigit():
            code = int(arguments[0][0].text)
            offset = arguments[0][0].start + self.base
            return [Text(chr(code), (offset,))] if 0 < code < 0x10FFFF else []
        return []

    @staticmethod
    def _quoted(texts: list[Text], quotes: tuple[str, str]) -> list[Text]:
        """Texts between quotes; a quote inside is doubled. What nobody knows stays unknown."""
        if not all(text.complete and text.text for text in texts):
            return []
        found = []
        opening, closing = quotes
        for text in texts:
            letters = [(opening, text.origins[0])]
            for letter, origin in zip(text.text, text.origins, strict=True):
                letters.extend([(letter, origin)] * (2 if letter == closing else 1))
            letters.append((closing, text.origins[-1]))
            found.append(Text("".join(letter for letter, _ in letters), tuple(origin for _, origin in letters)))
        return found

    def _format(self, arguments: list[list[Token]], depth: int) -> list[Text]:
        """PostgreSQL: %I and %s take an argument as it is, %L as a literal."""
        templates = self.texts(arguments[0], depth + 1)
        if len(templates) != 1 or not templates[0].complete:
            return []
        template = templates[0]
        parts: list[list[Text]] = []
        at = place = 0
        text = template.text
        while at < len(text):
            found = text.find("%", at)
            if found < 0 or found + 1 >= len(text):
                parts.append([Text(text[at:], template.origins[at:])])
                break
            parts.append([Text(text[at:found], template.origins[at:found])])
            end = found + 1
            while end < len(text) and (text[end].isdigit() or text[end] == "$"):
                end += 1
            kind = text[end : end + 1]
            if kind == "%":
                parts.append([Text("%", template.origins[found : found + 1])])
            else:
                number = text[found + 1 : end].rstrip("$")
                place = int(number) if number else place + 1
                argument = arguments[place] if 0 < place < len(arguments) else []
                parts.append(self._formatted(kind, argument, template.origins[found], depth))
            at = end + 1
        return self._combine(parts)

    def _formatted(self, kind: str, argument: list[Token], offset: int, depth: int) -> list[Text]:
        if kind == "L":
            return [Text("''", (offset, offset))]
        found = self.texts(argument, depth + 1) if argument else []
        return found or [self._unknown(argument)]

    def _literal(self, token: Token) -> Text:
        start = token.start + self.base
        length = token.end + 1 - token.start
        text = token.text
        margin = max((length - len(text)) // 2, 0) if token.token_type is not TokenType.NUMBER else 0
        if length - len(text) == 3:
            margin = 2
        return Text(text, tuple(range(start + margin, start + margin + len(text))))


def _concatenated(tokens: list[Token]) -> list[list[Token]]:
    """The operands of ``||`` and ``+`` outside parentheses."""
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        kind = token.token_type
        if kind in (TokenType.L_PAREN, TokenType.L_BRACKET):
            depth += 1
        elif kind in (TokenType.R_PAREN, TokenType.R_BRACKET):
            depth -= 1
        if not depth and kind in (TokenType.DPIPE, TokenType.PLUS, TokenType.AMP):
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]
