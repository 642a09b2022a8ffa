"""A position in a list of tokens, and questions about the tokens from there on.

The readers of statements add steps of their own (`connector.sql.readers.cursor`), the readers of routines use it as it is.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.words import CLOSING, OPENING, QUOTED, STRINGS, closing


class TokenCursor:
    """Reads words of a range of tokens. Words are upper case, and empty for whatever stands in quotes."""

    __slots__ = ("i", "stop", "tokens")

    def __init__(self, tokens: list[Token], start: int = 0, stop: int | None = None) -> None:
        self.tokens = tokens
        self.i = start
        self.stop = len(tokens) if stop is None else stop

    def word_at(self, i: int) -> str:
        """The unquoted word or sign at `i`; empty for what is quoted and outside the range."""
        if 0 <= i < self.stop:
            token = self.tokens[i]
            if token.token_type not in QUOTED:
                text = token.text.upper()
                # Some tokens are two words, with the white space between them that was written.
                return text if len(text) == 1 or text.isidentifier() else " ".join(text.split())
        return ""

    def kind_at(self, i: int) -> TokenType | None:
        return self.tokens[i].token_type if 0 <= i < self.stop else None

    def words(self, i: int, *expected: str) -> bool:
        """Whether the words from `i` on are these."""
        for text in expected:
            if self.word_at(i) != text:
                return False
            i += 1
        return True

    def is_name(self, i: int) -> bool:
        """Whether a name may stand at `i`."""
        if not 0 <= i < self.stop:
            return False
        token = self.tokens[i]
        if token.token_type is TokenType.IDENTIFIER:
            return True
        text = token.text
        if token.token_type in STRINGS or not text:
            return False
        if text[0].isalpha() or text[0] in "_$#":
            return True
        # ``{schema}`` and ``@schema@``: a placeholder that stands for a name.
        return text[0] in "@{&<%" and len(text) > 2 and token.token_type is TokenType.VAR

    def close(self, i: int) -> int:
        """The bracket that closes the one at `i`; the last token where nothing does."""
        return closing(self.tokens, i, self.stop)

    def seek(self, i: int, *words: str, stop: int | None = None) -> int:
        """The first of the words from `i` on that stands outside parentheses and CASE; `stop` when there is none."""
        end = self.stop if stop is None else stop
        depth = cases = 0
        while i < end:
            kind = self.tokens[i].token_type
            if kind in OPENING:
                depth += 1
            elif kind in CLOSING:
                depth -= 1
            elif depth <= 0:
                current = self.word_at(i)
                if not cases and current in words:
                    return i
                if current == "CASE":
                    cases += 1
                elif current == "END" and cases:
                    cases -= 1
            i += 1
        return end

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
        """Offset after the semicolon at `end`, 0 where there is none."""
        if end < self.stop and self.tokens[end].token_type is TokenType.SEMICOLON:
            return self.tokens[end].end + 1
        return 0


def name_end(walker: TokenCursor, i: int, *, subscripts: bool = False) -> int:
    """After the name at `i`, dots included (``a.b.c``, with subscripts ``a(1).b``); `i` when there is none."""
    if walker.word_at(i) in ("@", ":") and i + 1 < walker.stop:
        behind = i + 1
        while walker.word_at(behind) == "@":
            behind += 1
        if not walker.is_name(behind) and walker.kind_at(behind) is not TokenType.NUMBER:
            return i
        i = behind + 1
    elif walker.is_name(i):
        i += 1
    else:
        return i
    while i < walker.stop:
        if walker.word_at(i) == "." and (walker.is_name(i + 1) or walker.word_at(i + 1) == "."):
            i += 1
            while walker.word_at(i) == ".":
                i += 1
            i += 1
        elif subscripts and walker.word_at(i) in ("(", "["):
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
