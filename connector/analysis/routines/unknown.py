"""Parts of a dynamic statement whose text is unknown, and what remains of the statement without them.

A part in the place of a value is a constant. The name of a table that is not known stays as a mark, of which the
analysis makes a source or target without a name; of a name whose beginning is not known the rest counts. Whatever else
a part may hold, a condition or a list of columns, is left out, and said.
"""

from __future__ import annotations

from itertools import takewhile

from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.routines.texts import LITERAL, UNKNOWN
from connector.sql.cursor import TokenCursor
from connector.sql.words import STRINGS, closing, like, on_level, opening

VALUE, CLAUSE, TABLE = range(3)
"""What an unknown part hides: a value that does not matter, a part of a name or a clause, or which table it is."""

_TABLE_FOLLOWS = frozenset(
    "FROM JOIN INTO INSERT DELETE UPDATE TABLE VIEW USING MERGE APPLY EXISTS PROCEDURE FUNCTION TRIGGER STATISTICS "
    "ONLY LATERAL OVERWRITE IGNORE DELAYED LOW_PRIORITY HIGH_PRIORITY COPY TRUNCATE".split()
)
"""What stands before the name of a table."""
_SOURCE_FOLLOWS = frozenset({"FROM", "JOIN", "APPLY", "USING", "LATERAL"})
"""What stands before something that gives rows."""
_VALUE_FOLLOWS = frozenset(
    "= < > <= >= <> != + - * / % || ( , BY AND OR NOT WHERE THEN ELSE WHEN SELECT BETWEEN LIKE IN LIMIT TOP ON HAVING "
    "VALUES DISTINCT RETURN OFFSET CASE SET".split()
)
"""What stands before a value."""
_CLAUSES = frozenset(
    {
        TokenType.SELECT,
        TokenType.FROM,
        TokenType.WHERE,
        TokenType.SET,
        TokenType.VALUES,
        TokenType.GROUP_BY,
        TokenType.ORDER_BY,
        TokenType.ON,
    }
)


def has_unknown(tokens: list[Token]) -> bool:
    """Whether any part outside of strings is unknown."""
    return any(UNKNOWN in token.text and token.token_type not in STRINGS for token in tokens)


def without_unknown(tokens: list[Token]) -> tuple[list[Token], int]:
    """The statement without its unknown parts, and the worst that one of them hides."""
    walker = TokenCursor(tokens)
    found: list[Token] = []
    hides = VALUE
    i = 0
    while i < len(tokens):
        if not _is_name(tokens[i]):
            found.append(tokens[i])
            i += 1
            continue
        end = _chain_end(tokens, i)
        chain = tokens[i:end]
        if not has_unknown(chain):
            found.extend(chain)
        elif _is_column_list(walker, i):
            # INSERT INTO t (…): the whole list is unknown.
            hides = max(hides, CLAUSE)
            while found and found[-1].text != "(":
                found.pop()
            found.pop()
            end = closing(tokens, opening(tokens, i)) + 1
        elif _is_query(walker, i, end):
            # FROM (…): a query of which nothing is known.
            found[-1] = _renamed(chain[-1])
            hides = TABLE
            end += 1
        else:
            if UNKNOWN in chain[-1].text and walker.word_at(end) == "(" and walker.word_at(i - 1) in _SOURCE_FOLLOWS:
                # An unknown function returns the rows.
                end = walker.close(end) + 1
            kept, hiding = _reduced(walker, i, end, found)
            found.extend(kept)
            hides = max(hides, hiding)
        i = end
    return found, hides


def _is_query(walker: TokenCursor, i: int, end: int) -> bool:
    """Whether all that stands in the brackets of a subquery is one unknown part."""
    return (
        end == i + 1
        and walker.word_at(i - 1) == "("
        and walker.word_at(end) == ")"
        and walker.word_at(i - 2) in _SOURCE_FOLLOWS
        and UNKNOWN in walker.tokens[i].text
    )


def _reduced(walker: TokenCursor, i: int, end: int, found: list[Token]) -> tuple[list[Token], int]:
    """What stays of the dotted name from `i` to `end`; of a call, its name."""
    chain = walker.tokens[i : _chain_end(walker.tokens, i)]
    # ORDER BY is one token.
    before = walker.word_at(i - 1).rpartition(" ")[2]
    last = chain[-1]
    attached = before == "PARTITION" and walker.word_at(i - 2) == "ATTACH"
    if (
        before in _TABLE_FOLLOWS
        or attached
        or (before == "," and _in_from(walker.tokens, i))
        or walker.word_at(end) == "("
    ):
        if UNKNOWN in last.text:
            # One name, so that nothing hangs on what stands before or after the part.
            return [_renamed(last)], VALUE if before == "TABLE" and _is_empty_table(walker, end) else TABLE
        known = [at for at, token in enumerate(chain) if UNKNOWN in token.text][-1]
        return chain[known + 2 :], CLAUSE
    if before == "AS":
        found.pop()
        return [], CLAUSE
    if before in _VALUE_FOLLOWS:
        literal = last.text.startswith(LITERAL)
        hides = not literal and (len(chain) > 1 or before in ("SELECT", ",", "BY", "WHERE", "ON", "HAVING", "SET"))
        constant = Token(TokenType.NUMBER, "0", last.line, last.col, chain[0].start, last.end)
        return [constant], CLAUSE if hides else VALUE
    if walker.word_at(end) in ("AND", "OR") and _clause_of(walker.tokens, i) in (TokenType.FROM, TokenType.SET):
        # What goes on with AND is a condition.
        constant = Token(TokenType.NUMBER, "0", last.line, last.col, last.start, last.end)
        return [like(last, TokenType.WHERE, "WHERE"), constant], CLAUSE
    return [], CLAUSE


def _is_empty_table(walker: TokenCursor, i: int) -> bool:
    """Whether CREATE, ALTER, DROP or TRUNCATE TABLE moves no rows, so that the name of its table does not matter."""
    return not any(walker.word_at(at) in ("SELECT", "TABLE", "SWITCH", "RENAME") for at in range(i, walker.stop))


def _is_name(token: Token) -> bool:
    text = token.text
    return token.token_type is TokenType.IDENTIFIER or (
        token.token_type not in STRINGS and bool(text) and (text[0].isalpha() or text[0] in "_#")
    )


def _chain_end(tokens: list[Token], i: int) -> int:
    """After a name with its dots."""
    end = i + 1
    while end < len(tokens) and tokens[end].token_type is TokenType.DOT:
        end += 1
        if end < len(tokens) and _is_name(tokens[end]):
            end += 1
    while end > i + 1 and tokens[end - 1].token_type is TokenType.DOT:
        end -= 1
    return end


def _renamed(token: Token) -> Token:
    return Token(TokenType.VAR, f"{UNKNOWN}{token.start}", token.line, token.col, token.start, token.end)


def _is_column_list(walker: TokenCursor, i: int) -> bool:
    """Whether the name at `i` stands in the list of columns after ``INSERT INTO t``."""
    at = i - 1
    while at > 0 and (walker.word_at(at) == "," or walker.is_name(at)):
        at -= 1
    if walker.word_at(at) != "(" or walker.word_at(0) != "INSERT":
        return False
    return all(
        token.token_type not in (TokenType.SELECT, TokenType.VALUES, TokenType.L_PAREN) for token in walker.tokens[:at]
    )


def _in_from(tokens: list[Token], i: int) -> bool:
    """Whether the comma before `i` separates the tables of a FROM clause."""
    return _clause_of(tokens, i) is TokenType.FROM


def _clause_of(tokens: list[Token], i: int) -> TokenType | None:
    """With what the clause begins that `i` stands in."""
    before = takewhile(lambda at: at < i, on_level(tokens, opening(tokens, i) + 1))
    clauses = [kind for at in before if (kind := tokens[at].token_type) in _CLAUSES]
    return clauses[-1] if clauses else None
