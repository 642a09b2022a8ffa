"""The structure of a list of tokens that no grammar has accepted: brackets, CASE … END, clauses and the items in them."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.recovery.vocabulary import CLAUSES, JOINING, SOURCES, VERBS
from connector.sql.words import CLOSING, OPENING, STRINGS, word

WORDS_BEFORE_AS = 8
"""How many words may stand between the name of a common table expression and AS."""


class Layout:
    """Where each token stands. A group is what lies between two brackets, or between CASE and END."""

    __slots__ = ("complete", "match", "owner", "tokens")

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        size = len(tokens)
        self.match = [-1] * size
        """The other bracket of each bracket."""
        self.owner = [-1] * size
        """The bracket that opens the group a token stands in; -1 outside of all."""
        opened: list[int] = []
        closed_too_often = False
        for i, token in enumerate(tokens):
            kind = token.token_type
            if kind in CLOSING:
                while opened and tokens[opened[-1]].token_type not in OPENING:
                    opened.pop()
                    closed_too_often = True
                if opened:
                    self.match[opened[-1]], self.match[i] = i, opened[-1]
                    opened.pop()
                else:
                    closed_too_often = True
            elif kind is TokenType.END and opened and tokens[opened[-1]].token_type is TokenType.CASE:
                self.match[opened[-1]], self.match[i] = i, opened[-1]
                opened.pop()
            self.owner[i] = opened[-1] if opened else -1
            if kind in OPENING or (kind is TokenType.CASE and self._opens_case(i)):
                opened.append(i)

        self.complete = not opened and not closed_too_often
        """Whether each bracket and each CASE has its other end."""

    def _opens_case(self, i: int) -> bool:
        return i + 1 < len(self.tokens) and self.tokens[i + 1].token_type not in (TokenType.DOT, TokenType.COMMA)

    # --- groups -------------------------------------------------------------------------------------------------

    def inside(self, owner: int) -> tuple[int, int]:
        """The tokens of a group."""
        if owner < 0:
            return 0, len(self.tokens)
        closed = self.match[owner]
        return owner + 1, closed if closed >= 0 else len(self.tokens)

    def is_query(self, owner: int) -> bool:
        """Whether the group holds a statement: one of its words begins one, or it begins with FROM."""
        if owner < 0:
            return True
        if self.tokens[owner].token_type is not TokenType.L_PAREN:
            return False
        start, end = self.inside(owner)
        i = start
        while i < end:
            kind = self.tokens[i].token_type
            if kind is TokenType.SELECT or (kind is TokenType.WITH and i == start):
                return True
            if i == start and (kind in VERBS or kind is TokenType.FROM):
                return word(self.tokens, i + 1) not in ("(", ")", ",")
            i = self.behind(i)
        return False

    def call_start(self, owner: int) -> int:
        """Where the call begins whose arguments the group holds; the bracket itself where it is no call."""
        i = owner - 1
        if i < 0 or self.tokens[owner].token_type is not TokenType.L_PAREN:
            return owner
        if 0 <= self.match[i] < i and self.tokens[i].token_type is TokenType.R_PAREN:
            # ClickHouse: ``quantiles(0.5)(x)``.
            return self.call_start(self.match[i])
        if not self.is_word(i):
            return owner
        if self.tokens[i].token_type in CLAUSES or self.tokens[i].token_type in (
            TokenType.AND,
            TokenType.OR,
            TokenType.IN,
        ):
            return owner
        while i >= 2 and self.tokens[i - 1].token_type is TokenType.DOT and self.is_word(i - 2):
            i -= 2
        return i

    def is_word(self, i: int) -> bool:
        token = self.tokens[i]
        if token.token_type is TokenType.IDENTIFIER:
            return True
        if token.token_type is TokenType.VAR:
            return token.text[:1].isalnum() or token.text[:1] in "_$#@{"
        return token.token_type not in STRINGS and token.token_type is not TokenType.NUMBER and token.text[:1].isalpha()

    def holds_query(self, first: int, last: int) -> bool:
        """Whether a statement stands in brackets there."""
        return any(
            self.tokens[i].token_type is TokenType.L_PAREN and self.match[i] > i and self.is_query(i)
            for i in range(first, last)
        )

    # --- steps --------------------------------------------------------------------------------------------------

    def behind(self, i: int) -> int:
        """The next token of the same group."""
        closed = self.match[i]
        return closed + 1 if closed > i else i + 1

    def before(self, i: int) -> int:
        """The token before `i` in the same group, -1 at its start."""
        i -= 1
        if i < 0:
            return -1
        opened = self.match[i]
        if 0 <= opened < i:
            return opened
        return i

    # --- clauses ------------------------------------------------------------------------------------------------

    def clause_before(self, i: int) -> int:
        """The word that begins the clause `i` stands in; -1 where none does in this group."""
        owner = self.owner[i]
        start = owner + 1
        i -= 1
        while i >= start:
            opened = self.match[i]
            if 0 <= opened < i:
                i = opened - 1
                continue
            if self.begins_clause(i):
                return i
            i -= 1
        return -1

    def begins_clause(self, i: int) -> bool:
        kind = self.tokens[i].token_type
        if kind not in CLAUSES:
            return False
        if kind is TokenType.WITH:
            return self.begins_expressions(i)
        if (i and self.tokens[i - 1].token_type is TokenType.DOT) or self.locks(i):
            return False
        return kind is not TokenType.FROM or not self._is_bound(i)

    def _is_bound(self, i: int) -> bool:
        """``IS DISTINCT FROM a``, ``WITH FILL FROM 0 TO 10``: a FROM that names no table."""
        number = i + 1 < len(self.tokens) and self.tokens[i + 1].token_type is TokenType.NUMBER
        return number or word(self.tokens, i - 1) in ("DISTINCT", "FILL")

    def locks(self, i: int) -> bool:
        """Whether this word belongs to the lock of a query: ``FOR UPDATE``, ``FOR NO KEY UPDATE``."""
        return self.tokens[i].token_type is TokenType.UPDATE and word(self.tokens, i - 1) in ("FOR", "KEY")

    def begins_expressions(self, i: int) -> bool:
        """Whether this WITH begins common table expressions."""
        if word(self.tokens, i + 1) in ("RECURSIVE", "MUTUALLY"):
            return True
        j = i + 2
        if word(self.tokens, j) == "(":
            j = self.behind(j)
        end = j + WORDS_BEFORE_AS
        while j < end and word(self.tokens, j) != "AS" and word(self.tokens, j)[:1].isalnum():
            j += 1
        return word(self.tokens, j) == "AS" and word(self.tokens, j + 1) in ("(", "MATERIALIZED", "NOT")

    def clause_behind(self, i: int, kinds: frozenset[TokenType] = CLAUSES) -> int:
        """The first word at or after `i` that begins a clause of the same group; the end of the group without one."""
        end = self.inside(self.owner[i])[1] if i < len(self.tokens) else len(self.tokens)
        while i < end:
            if self.tokens[i].token_type in kinds and self.begins_clause(i):
                return i
            i = self.behind(i)
        return end

    def find(self, kind: TokenType, i: int, end: int) -> int:
        """The first token of a kind from `i` on in the same group, -1 without one."""
        while i < end:
            if self.tokens[i].token_type is kind:
                return i
            i = self.behind(i)
        return -1

    def item(self, i: int, conditions: bool = False) -> tuple[int, int]:
        """The part between commas, clauses and brackets that `i` stands in; between AND and OR, too, if asked for."""
        start, end = self.inside(self.owner[i])
        case = self.owner[i] >= 0 and self.tokens[self.owner[i]].token_type is TokenType.CASE
        query = self.is_query(self.owner[i])
        first = i
        while first > start:
            before = self.before(first)
            if self._separates(before, query, case, conditions):
                break
            first = before
        last = i
        while last < end and not (last > i and self._separates(last, query, case, conditions)):
            last = self.behind(last)
        return first, min(last, end)

    def _separates(self, i: int, query: bool, case: bool, conditions: bool) -> bool:
        kind = self.tokens[i].token_type
        if kind is TokenType.COMMA:
            return True
        if case and kind in (TokenType.WHEN, TokenType.THEN, TokenType.ELSE):
            return True
        if conditions and kind in (TokenType.AND, TokenType.OR):
            return True
        if kind in (TokenType.ORDER_BY, TokenType.PARTITION_BY):
            return True
        return query and self.begins_clause(i)

    def source(self, clause: int) -> tuple[int, int]:
        """The source after FROM, JOIN or a comma at `clause`: up to the next one."""
        start = clause + 1
        end = self.inside(self.owner[start])[1] if start < len(self.tokens) else start
        i = start
        while i < end:
            kind = self.tokens[i].token_type
            if kind is TokenType.COMMA or (self.begins_clause(i) and i > start):
                break
            if kind in JOINING and word(self.tokens, i + 1) != "(" and i > start:
                break
            i = self.behind(i)
        return start, min(i, end)

    def _sources_in_brackets(self, owner: int) -> int:
        """The bracket itself where it holds sources: ``FROM (a JOIN b …)``."""
        if self.tokens[owner].token_type is not TokenType.L_PAREN or self.call_start(owner) != owner:
            return -1
        outer = self.in_sources(owner) if self.owner[owner] < 0 or self.is_query(self.owner[owner]) else -1
        return owner if outer >= 0 and owner == outer + 1 else -1

    def in_sources(self, i: int) -> int:
        """The FROM, JOIN or comma after which the source stands that `i` belongs to; -1 where `i` is in none."""
        clause = self.clause_before(i)
        if clause < 0 and self.owner[i] >= 0 and not self.is_query(self.owner[i]):
            clause = self._sources_in_brackets(self.owner[i])
        if clause < 0 or (self.tokens[clause].token_type not in SOURCES and self.match[clause] < 0):
            return -1
        if self.tokens[clause].token_type is TokenType.USING and word(self.tokens, clause + 1) == "(":
            return -1
        at = i
        while at > clause + 1:
            before = self.before(at)
            if self.tokens[before].token_type is TokenType.COMMA:
                return before
            at = before
        return clause
