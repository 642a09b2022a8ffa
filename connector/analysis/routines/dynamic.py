"""Dynamic SQL: the text that results from an expression of literals, variables and string functions."""

from __future__ import annotations

from collections.abc import Callable, Container

from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.routines.texts import LITERAL, UNKNOWN, Choice, Text, Value, choice_of, literal, render
from connector.sql.cursor import TokenCursor, split_list
from connector.sql.dialects import Fold, SqlDialect
from connector.sql.spelled_names import spelled_name, takes_name
from connector.sql.words import STRINGS, Replacement, Tokens, closing, like, replace_where, word

Constants = dict[str, Value]
"""By folded name the text that a variable holds."""

_DEPTH_LIMIT = 40
_WRAPPERS = frozenset({"TRIM", "RTRIM", "LTRIM", "TO_CHAR", "CAST", "TRY_CAST", "N", "TO_CLOB", "TO_NCLOB", "NULLIF"})
"""Functions that leave their first argument what it is, or nearly so."""
_CONVERSIONS = frozenset({"CONVERT", "TRY_CONVERT"})
_FALLBACKS = frozenset({"ISNULL", "COALESCE", "NVL", "IFNULL", "NVL2"})
_QUOTERS = {"QUOTENAME": ("[", "]"), "QUOTE_IDENT": ('"', '"'), "QUOTE_LITERAL": ("'", "'")}
"""Functions that make a name or a literal of a text, and the quotes they put around it."""
_TEXT_TYPES = frozenset({"VARCHAR", "NVARCHAR", "CHAR", "NCHAR", "SYSNAME", "TEXT", "NTEXT", "CLOB", "VARCHAR2"})


def evaluate(tokens: list[Token], constants: Constants, fold: Fold, base: int) -> Value:
    """The text of an expression. A part that is not constant stands as a name that begins with UNKNOWN."""
    return _Evaluator(constants, fold, base).value(tokens, 0)


def is_known(value: Value) -> bool:
    """Whether any of the text is known."""
    return any(isinstance(part, Choice) or not part.text.startswith(UNKNOWN) for part in value)


class _Evaluator:
    def __init__(self, constants: Constants, fold: Fold, base: int) -> None:
        self.constants = constants
        self.fold = fold
        self.base = base

    def value(self, tokens: list[Token], depth: int) -> Value:
        found: list[Text | Choice] = []
        for piece in _concatenated(tokens):
            part = self._part(piece, depth)
            found.extend((self._unknown(piece),) if part is None else part)
        return tuple(found)

    def _unknown(self, piece: list[Token], name: str = UNKNOWN) -> Text:
        start = piece[0].start if piece else 0
        return literal(f"{name}{start}", start + self.base)

    def _part(self, piece: list[Token], depth: int) -> Value | None:
        """The text of one operand; None when it is not constant."""
        if not piece or depth > _DEPTH_LIMIT:
            return None
        walker = TokenCursor(piece)
        first = piece[0]
        if len(piece) == 1 and (first.token_type in STRINGS or first.token_type is TokenType.NUMBER):
            return (self._literal(first),) if first.text else ()
        if all(token.token_type in STRINGS for token in piece):
            # Literals on lines of their own are one.
            return tuple(self._literal(token) for token in piece if token.text)
        if walker.word_at(0) == "(" and walker.close(0) == len(piece) - 1:
            return self.value(piece[1:-1], depth + 1) if walker.word_at(1) not in ("SELECT", "WITH") else None
        if walker.word_at(0) == "CASE" and walker.word_at(len(piece) - 1) == "END":
            return self._case(piece[1:-1], depth)
        name = self._variable(piece)
        if name is not None:
            return self.constants.get(name)
        if len(piece) > 3 and walker.word_at(1) == "(" and walker.close(1) == len(piece) - 1:
            return self._call(walker.word_at(0), split_list(piece[2:-1]), depth)
        return None

    def _variable(self, piece: list[Token]) -> str | None:
        sign = ""
        if piece[0].token_type in (TokenType.PARAMETER, TokenType.COLON):
            sign = "@" if piece[0].text == "@" else ""
            piece = piece[1:]
        if len(piece) != 1 or not TokenCursor(piece).is_name(0):
            return None
        return self.fold(sign + piece[0].text, piece[0].token_type is TokenType.IDENTIFIER)

    def _case(self, tokens: list[Token], depth: int) -> Value:
        """CASE … THEN a … ELSE b: one of its values."""
        options: list[Value] = []
        walker = TokenCursor(tokens)
        at = walker.seek(0, "THEN", "ELSE")
        while at < walker.stop:
            end = walker.seek(at + 1, "WHEN", "ELSE")
            options.append(self.value(tokens[at + 1 : end], depth + 1))
            at = end if walker.word_at(end) == "ELSE" else walker.seek(end, "THEN", "ELSE")
        return choice_of(options)

    def _call(self, name: str, arguments: list[list[Token]], depth: int) -> Value | None:
        if not arguments:
            return None
        if name == "CONCAT":
            return tuple(part for argument in arguments for part in self.value(argument, depth + 1))
        if name == "CONCAT_WS":
            separator = self.value(arguments[0], depth + 1)
            parts = [self.value(argument, depth + 1) for argument in arguments[1:]]
            return tuple(part for place, each in enumerate(parts) for part in ((*separator, *each) if place else each))
        if name in ("IIF", "IF", "DECODE") and len(arguments) > 2:
            kept = arguments[1:] if name != "DECODE" else [*arguments[2::2], *arguments[-1:]]
            return choice_of(self.value(argument, depth + 1) for argument in kept)
        if name in _FALLBACKS:
            kept = arguments[1:] if name == "NVL2" else arguments
            return choice_of(self.value(argument, depth + 1) for argument in kept)
        if name in ("FORMAT", "FORMATMESSAGE"):
            return self._format(arguments, depth)
        if name == "REPLACE" and len(arguments) == 3:
            return self._replaced(arguments, depth)
        if name in ("UPPER", "LOWER", "UCASE", "LCASE"):
            found = self.value(arguments[0], depth + 1)
            change = str.upper if name[0] == "U" else str.lower
            return _mapped(found, lambda text: Text(change(text.text), text.origins) if text.complete else text)
        return self._single(name, arguments, depth)

    def _single(self, name: str, arguments: list[list[Token]], depth: int) -> Value | None:
        """Functions of one text."""
        if name in _CONVERSIONS and len(arguments) > 1 and TokenCursor(arguments[0]).word_at(0) in _TEXT_TYPES:
            return self._converted(arguments[1], arguments[0], depth)
        if name in _WRAPPERS or name in _CONVERSIONS:
            item = arguments[0]
            named = TokenCursor(item).seek(0, "AS", "USING")
            return self._converted(item[:named], item[named + 1 :], depth)
        if name in _QUOTERS:
            quotes = _QUOTERS[name]
            if len(arguments) > 1 and arguments[1][0].token_type in STRINGS and arguments[1][0].text in ("'", '"'):
                quotes = (arguments[1][0].text, arguments[1][0].text)
            return quoted(self.value(arguments[0], depth + 1), quotes)
        if name in ("LEFT", "SUBSTRING", "SUBSTR"):
            return self._shortened(arguments, depth)
        number = arguments[0][0].text
        if name in ("CHR", "CHAR", "NCHAR", "SPACE") and len(arguments) == 1 and number.isdigit():
            code = int(number)
            text = " " if name == "SPACE" else chr(code) if 0 < code < 0x10FFFF else ""
            return (literal(text, arguments[0][0].start + self.base),) if text else ()
        return None

    def _converted(self, item: list[Token], datatype: list[Token], depth: int) -> Value:
        """A cast. What is made a short text of is one value; a long text may hold anything."""
        found = self.value(item, depth + 1)
        words = {token.text.upper() for token in datatype}
        if len(found) == 1 and isinstance(found[0], Text) and not found[0].complete:
            if datatype and not words & {"MAX", "SYSNAME", "TEXT", "NTEXT", "CLOB"}:
                return (self._unknown(item, LITERAL),)
        return found

    def _replaced(self, arguments: list[list[Token]], depth: int) -> Value | None:
        """REPLACE(text, what, by): a place in a template is filled."""
        found, what, by = (self.value(argument, depth + 1) for argument in arguments)
        wanted = _whole(what)
        filling = _whole(by)
        if wanted is None or not wanted.text or not wanted.complete:
            return None
        if filling is None:
            filling = self._unknown(arguments[2])

        return _substituted(found, wanted.text, filling.text)

    def _shortened(self, arguments: list[list[Token]], depth: int) -> Value | None:
        """``LEFT(x, LEN(x) - 10)``: the text without the separator that was added last."""
        last = arguments[-1]
        if len(last) < 4 or last[0].text.upper() not in ("LEN", "LENGTH") or last[-2].text != "-":
            return None
        found = self.value(arguments[0], depth + 1)
        if not last[-1].text.isdigit() or not found or not isinstance(found[-1], Text):
            return None
        tail, count = found[-1], int(last[-1].text)
        if not tail.complete or len(tail.text) < count:
            return None
        kept = len(tail.text) - count
        return (*found[:-1], Text(tail.text[:kept], tail.origins[:kept])) if kept else found[:-1]

    def _format(self, arguments: list[list[Token]], depth: int) -> Value | None:
        """PostgreSQL: %I and %s take an argument as it is, %L as a literal. FORMATMESSAGE knows %s and %d."""
        template = _whole(self.value(arguments[0], depth + 1))
        if template is None or not template.complete:
            return None
        parts: list[Text | Choice] = []
        at = place = 0
        text = template.text
        while at < len(text):
            found = text.find("%", at)
            if found < 0 or found + 1 >= len(text):
                parts.append(Text(text[at:], template.origins[at:]))
                break
            parts.append(Text(text[at:found], template.origins[at:found]))
            end = found + 1
            while end < len(text) and (text[end].isdigit() or text[end] == "$"):
                end += 1
            kind = text[end : end + 1]
            if kind == "%":
                parts.append(Text("%", template.origins[found : found + 1]))
            else:
                number = text[found + 1 : end].rstrip("$")
                place = int(number) if number else place + 1
                argument = arguments[place] if 0 < place < len(arguments) else []
                parts.extend(self._formatted(kind, argument, template.origins[found], depth))
            at = end + 1
        return tuple(parts)

    def _formatted(self, kind: str, argument: list[Token], offset: int, depth: int) -> Value:
        if kind == "L":
            return (literal("''", offset),)
        if kind == "d":
            return (literal("0", offset),)
        return self.value(argument, depth + 1) if argument else (self._unknown(argument),)

    def _literal(self, token: Token) -> Text:
        start = token.start + self.base
        length = token.end + 1 - token.start
        text = token.text
        margin = max((length - len(text)) // 2, 0) if token.token_type is not TokenType.NUMBER else 0
        if length - len(text) == 3:
            margin = 2
        return Text(text, tuple(range(start + margin, start + margin + len(text))))


def filled(value: Value, sign: str) -> Value:
    """A text in which a sign stands for something that changes from run to run."""
    return _substituted(value, sign, f"{UNKNOWN}0")


def _substituted(value: Value, wanted: str, by: str) -> Value:
    def fill(text: Text) -> Text:
        pieces = text.text.split(wanted)
        if len(pieces) == 1:
            return text
        origins: list[int] = []
        at = 0
        for place, piece in enumerate(pieces):
            if place:
                origins.extend(text.origins[at : at + 1] * len(by))
                at += len(wanted)
            origins.extend(text.origins[at : at + len(piece)])
            at += len(piece)
        return Text(by.join(pieces), tuple(origins))

    whole = _whole(value)
    return (fill(whole),) if whole is not None else _mapped(value, fill)


def _whole(value: Value) -> Text | None:
    """The text of a value that has no choice in it."""
    texts = [part for part in value if isinstance(part, Text)]
    if len(texts) < len(value):
        return None
    if len(texts) == 1:
        return texts[0]
    return Text("".join(part.text for part in texts), tuple(origin for part in texts for origin in part.origins))


def _mapped(value: Value, change: Callable[[Text], Text]) -> Value:
    """A value with each of its texts changed."""
    return tuple(
        change(part)
        if isinstance(part, Text)
        else Choice(tuple(_mapped(option, change) for option in part.options), part.width)
        for part in value
    )


def quoted(value: Value, quotes: tuple[str, str]) -> Value:
    """A text between quotes; a quote inside is doubled."""
    opening, closing = quotes
    offset = next((part.origins[0] for part in value if isinstance(part, Text) and part.origins), 0)

    def double(text: Text) -> Text:
        if closing not in text.text:
            return text
        letters: list[tuple[str, int]] = []
        for letter, origin in zip(text.text, text.origins, strict=True):
            letters.extend([(letter, origin)] * (2 if letter == closing else 1))
        return Text("".join(letter for letter, _ in letters), tuple(origin for _, origin in letters))

    return (literal(opening, offset), *_mapped(value, double), literal(closing, offset))


def _concatenated(tokens: list[Token]) -> list[list[Token]]:
    """The operands of ``||`` and ``+`` outside parentheses and CASE."""
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        kind = token.token_type
        if kind in (TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.CASE):
            depth += 1
        elif kind in (TokenType.R_PAREN, TokenType.R_BRACKET) or (kind is TokenType.END and depth):
            depth -= 1
        if not depth and kind in (TokenType.DPIPE, TokenType.PLUS, TokenType.AMP):
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


_NAMING = frozenset({"IDENTIFIER", "TABLE", "GETVARIABLE"})


def with_names(
    tokens: Tokens, constants: Constants, variables: Container[str], dialect: SqlDialect, base: int
) -> Tokens:
    """The tokens with the name that each IDENTIFIER(…) or TABLE(…) means, as far as the variables in it are constant.

    ``getvariable('x')`` is ``$x``, or the text that x holds: it may be the query, table or path that is read.
    """
    calls = dialect.family.getvariable and variables
    if not (constants or calls) or not any(token.text.upper() in _NAMING for token in tokens):
        return tokens

    def known(inner: Tokens) -> str:
        found, _ = render(evaluate(inner, constants, dialect.fold_column, base))
        return found[0].text if len(found) == 1 and found[0].complete else ""

    def find(tokens: Tokens, i: int) -> Replacement | None:
        if word(tokens, i + 1) != "(":
            return None
        end = closing(tokens, i + 1)
        if calls and word(tokens, i) == "GETVARIABLE" and end == i + 3 and tokens[i + 2].token_type in STRINGS:
            name = like(tokens[end], TokenType.VAR, tokens[i + 2].text)
            if text := known([name]):
                return [like(tokens[i + 2], TokenType.STRING, text)], 4
            is_set = dialect.fold_column(name.text, False) in variables
            return ([like(tokens[i], TokenType.PARAMETER, "$"), name], 4) if is_set else None
        text = known(tokens[i + 2 : end]) if takes_name(tokens, i) else ""
        return (spelled_name(tokens[i], text), end + 1 - i) if text else None

    return replace_where(find)(tokens)
