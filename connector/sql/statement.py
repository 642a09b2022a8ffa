"""A statement of a script: its tokens and its position in the text."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token, TokenType

from connector.common.hashing import text_hash
from connector.model import Script
from connector.sql.tokens import TokenIndex


@dataclass(slots=True, eq=False)
class Statement:
    """The tokens of a statement without its terminator. Offsets of tokens become script offsets by adding `base`."""

    script: Script
    base: int
    tokens: list[Token] = field(repr=False)
    start: int
    end: int
    span_end: int
    """As `end`, but after the semicolon where there is one."""
    _kinds: list[TokenType] | None = field(default=None, repr=False)
    """The types of the tokens and the places of those that tell the structure, where they were gathered already."""
    _marks: list[int] | None = field(default=None, repr=False)
    _hash: str | None = field(default=None, repr=False)
    _index: TokenIndex | None = field(default=None, repr=False)
    repaired: list[Token] | None = field(default=None, repr=False)
    """The tokens in words that the grammar of the script's dialect knows, where the grammar has refused the text as written."""

    def with_tokens(self, tokens: list[Token]) -> Statement:
        """A statement at the same place that other tokens make up."""
        return Statement(self.script, self.base, tokens, self.start, self.end, self.span_end)

    @property
    def text(self) -> str:
        return self.script.text[self.start : self.end]

    @property
    def kinds(self) -> list[TokenType]:
        """The types of the tokens; asking each token costs more than most uses of the answer."""
        return [token.token_type for token in self.tokens] if self._kinds is None else self._kinds

    @property
    def hash(self) -> str:
        """MD5 of the text as written: the statement's `queryHashId`."""
        found = self._hash
        if found is None:
            found = self._hash = text_hash(self.text)
        return found

    @property
    def index(self) -> TokenIndex:
        found = self._index
        if found is None:
            found = self._index = TokenIndex(self.tokens, self._kinds, self._marks)
        return found
