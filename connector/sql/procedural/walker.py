"""A place in a token list, and the small moves that every reader of routine text makes."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.words import CLOSING, OPENING, STRINGS

__all__ = ["Walker", "name_end", "split_list"]

_QUOTED = STRINGS | {TokenType.IDENTIFIER}


class Walker:
    """Reads words of a token range. Words are upper case, and empty for whatever stands in quotes."""

    def __init__(self, tokens: list[Token], start: int = 0, stop: int | None = None) -> None:
        self.tokens = tokens
        self.at = start
        self.stop = len(tokens) if stop is None else stop

    def word(self, i: int) -> str:
        if 0 <= i < self.stop:
            token = self.tokens[i]
            if token.token_type not in _QUOTED:
                return token.text.upper()
        return ""

    def words(self, i: int, *expected: str) -> bool:
        """Whether the words from `i` on are these."""
        return all(self.word(i + place) == text for place, text in enumerate(expected))

    def is_name(self, i: int) -> bool:
        """Whether a name may stand at `i`."""
        if not 0 <= i < self.stop:
            return False
        token = self.tokens[i]
        if token.token_type is TokenType.IDENTIFIER:
            return True
        text = token.text
        return token.token_type not in STRINGS and bool(text) and (text[0].isalpha() or text[0] in "_$#")

    def close(self, i: int) -> int:
        """The parenthesis that closes the one at `i`; the last token where nothing does."""
        depth = 0
        for j in range(i, self.stop):
            kind = self.tokens[j].token_type
            if kind in OPENING:
                depth += 1
            elif kind in CLOSING:
                depth -= 1
                if not depth:
                    return j
        return self.stop - 1

    def find(self, i: int, *wanted: str) -> int:
        """The first of the words from `i` on that stands outside parentheses and CASE; `stop` when there is none."""
        depth = cases = 0
        while i < self.stop:
            kind = self.tokens[i].token_type
            if kind in OPENING:
                depth += 1
            elif kind in CLOSING:
                depth -= 1
            elif depth <= 0:
                current = self.word(i)
                if not cases and current in wanted:
                    return i
                if current == "CASE":
                    cases += 1
                elif current == "END" and cases:
                    cases -= 1
            i += 1
        return self.stop

    def end(self, i: int) -> int:
        """The semicolon that ends the statement at `i`, or `stop`."""
        depth = 0
        for j in range(i, self.stop):
            kind = self.tokens[j].token_type
            if kind is TokenType.SEMICOLON and depth <= 0:
                return j
            if kind in OPENING:
                depth += 1
            elif kind in CLOSING:
                depth -= 1
        # A parenthesis that is never closed must not swallow the rest of the body.
        if depth > 0:
            for j in range(i, self.stop):
                if self.tokens[j].token_type is TokenType.SEMICOLON:
                    return j
        return self.stop

    def closed(self, end: int) -> int:
        """Offset behind the semicolon at `end`, 0 where there is none."""
        if end < self.stop and self.tokens[end].token_type is TokenType.SEMICOLON:
            return self.tokens[end].end + 1
        return 0


def name_end(walker: Walker, i: int, *, subscripts: bool = False) -> int:
    """Behind the name at `i`, dots included (``a.b.c``, with subscripts ``a(1).b``); `i` when there is none."""
    if walker.word(i) in ("@", ":") and i + 1 < walker.stop:
        behind = i + 1
        while walker.word(behind) == "@":
            behind += 1
        if not walker.is_name(behind) and walker.tokens[behind].token_type is not TokenType.NUMBER:
            return i
        i = behind + 1
    elif walker.is_name(i):
        i += 1
    else:
        return i
    while i < walker.stop:
        if walker.word(i) == "." and (walker.is_name(i + 1) or walker.word(i + 1) == "."):
            i += 1
            while walker.word(i) == ".":
                i += 1
            i += 1
        elif subscripts and walker.word(i) in ("(", "["):
            i = walker.close(i) + 1
        else:
            break
    return min(i, walker.stop)


def split_list(tokens: list[Token]) -> list[list[Token]]:
    """The items of a list, cut at the commas outside parentheses."""
    items: list[list[Token]] = []
    current: list[Token] = []
    depth = 0
    for token in tokens:
        kind = token.token_type
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
        if kind is TokenType.COMMA and depth <= 0:
            items.append(current)
            current = []
        else:
            current.append(token)
    if current:
        items.append(current)
    return [item for item in items if item]
