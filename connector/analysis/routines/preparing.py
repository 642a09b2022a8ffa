"""Prepares a statement of a routine for the grammar of plain SQL: takes variables out of INTO and prefixes off names."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import TokenCursor, name_end
from connector.sql.families import Family
from connector.sql.procedural.statements import targets_of
from connector.sql.words import like

_ATTRIBUTES = frozenset(
    {"ROWCOUNT", "FOUND", "NOTFOUND", "ISOPEN", "BULK_ROWCOUNT", "BULK_EXCEPTIONS", "BULK_EXCEPTION"}
)
_WRITES_INTO = frozenset(
    {"INSERT", "MERGE", "COPY", "IMPORT", "DATA", "REPLACE", "IGNORE", "OVERWRITE", "DELAYED", "LOW_PRIORITY", "UPSERT"}
)
_CHANGES = frozenset("INSERT INS UPDATE UPD DELETE DEL MERGE REPLACE UPSERT".split())
_INTO_ENDS = (
    "FROM",
    "WHERE",
    "GROUP",
    "GROUP BY",
    "HAVING",
    "ORDER",
    "ORDER BY",
    "LIMIT",
    "UNION",
    "FETCH",
    "FOR",
    "USING",
    "DEFAULT",
    "WITH",
    "LOCK",
    "CONNECT BY",
    "QUALIFY",
    "EXCEPT",
    "INTERSECT",
    "START WITH",
    "SAMPLE",
)


def is_query(tokens: list[Token]) -> bool:
    """Whether the tokens begin a query, in parentheses or not."""
    for token in tokens:
        if token.token_type is TokenType.L_PAREN:
            continue
        return token.token_type in (TokenType.SELECT, TokenType.WITH, TokenType.FROM)
    return False


_EXECUTED = frozenset("INSERT UPDATE DELETE MERGE COPY CALL CREATE ALTER TRUNCATE SHOW DESCRIBE DESC LIST LS".split())
"""What a RESULTSET of Snowflake can hold the outcome of, besides a query and dynamic SQL."""


def is_execution(tokens: list[Token]) -> bool:
    """Whether the value is what a statement gives: ``(EXECUTE IMMEDIATE text)``, ``(COPY INTO t FROM @s)``."""
    inner = bare_query(tokens)
    words = [token.text.upper() for token in inner[:2]]
    if words == ["EXECUTE", "IMMEDIATE"]:
        return True
    return inner is not tokens and len(words) > 1 and words[0] in _EXECUTED and _begins_name(inner[1])


def _begins_name(token: Token) -> bool:
    """Not the parenthesis of a call as of MySQL's INSERT(), nor an operator behind a variable of that name."""
    return token.token_type is TokenType.IDENTIFIER or token.text == "@" or _is_word(token)


def expression_tokens(tokens: list[Token]) -> list[Token]:
    """The expression as a select list, the form in which the parser takes an expression by itself."""
    first = tokens[0]
    return [Token(TokenType.SELECT, "SELECT", first.line, first.col, first.start, first.start - 1), *tokens]


def prepared_tokens(tokens: list[Token], family: Family) -> list[Token]:
    """Without what only procedural code may say: cursor attributes, CURRENT OF, transition rows with a colon."""
    if family.batches:
        return _without_current_of(_without_top(tokens))
    found: list[Token] = []
    count = len(tokens)
    i = 0
    while i < count:
        token = tokens[i]
        kind = token.token_type
        if kind is TokenType.COLON and i + 1 < count:
            following = tokens[i + 1]
            if following.start == token.end + 1 and _is_word(following):
                if following.text.upper() in ("NEW", "OLD", "PARENT"):
                    i += 1
                    continue
                if following.token_type is not TokenType.VAR and (i == 0 or not _is_operand(tokens[i - 1])):
                    found.append(token)
                    found.append(_as_name(following))
                    i += 2
                    continue
        elif kind is TokenType.MOD and i + 1 < count and found and tokens[i + 1].text.upper() in _ATTRIBUTES:
            name = found.pop()
            end = _attribute_end(tokens, i + 2)
            found.append(Token(TokenType.NUMBER, "0", name.line, name.col, name.start, tokens[end - 1].end))
            i = end
            continue
        elif kind is TokenType.DCOLON and family.colon_attributes and i + 1 < count:
            # ``::SQL_ERROR_CODE``, ``c::NOTFOUND``: what the session or a cursor says of itself.
            first = found.pop() if found and _is_operand(found[-1]) else token
            found.append(Token(TokenType.NUMBER, "0", first.line, first.col, first.start, tokens[i + 1].end))
            i += 2
            continue
        found.append(token)
        i += 1
    return _without_current_of(found)


def _attribute_end(tokens: list[Token], i: int) -> int:
    """After the subscript and the field of ``SQL%BULK_EXCEPTIONS(i).ERROR_INDEX``."""
    walker = TokenCursor(tokens)
    if walker.word_at(i) == "(":
        i = walker.close(i) + 1
    while walker.word_at(i) == "." and walker.is_name(i + 1):
        i += 2
    return i


def _without_top(tokens: list[Token]) -> list[Token]:
    """``DELETE TOP (100) FROM t``: how many rows are changed limits nothing that has a column."""
    walker = TokenCursor(tokens)
    if walker.word_at(0) not in ("DELETE", "UPDATE", "INSERT", "MERGE") or walker.word_at(1) != "TOP":
        return tokens
    end = walker.close(2) + 1 if walker.word_at(2) == "(" else 3
    if walker.word_at(end) == "PERCENT":
        end += 1
    return tokens[:1] + tokens[end:]


def _without_current_of(tokens: list[Token]) -> list[Token]:
    """``WHERE CURRENT OF c`` limits nothing that the cursor's own query does not limit."""
    for i in range(len(tokens) - 3, 0, -1):
        if tokens[i].token_type is TokenType.WHERE:
            if tokens[i + 1].text.upper() == "CURRENT" and tokens[i + 2].text.upper() == "OF":
                end = i + 4
                if end < len(tokens) and tokens[i + 3].text in ("@", ":"):
                    end += 1
                return tokens[:i] + tokens[end:]
            break
    return tokens


def _is_word(token: Token) -> bool:
    text = token.text
    return bool(text) and (text[0].isalpha() or text[0] == "_") and token.token_type is not TokenType.STRING


def _is_operand(token: Token) -> bool:
    return token.token_type in (
        TokenType.VAR,
        TokenType.IDENTIFIER,
        TokenType.R_PAREN,
        TokenType.R_BRACKET,
        TokenType.NUMBER,
    )


def _as_name(token: Token) -> Token:
    return Token(TokenType.VAR, token.text, token.line, token.col, token.start, token.end)


_BEFORE_COLUMNS = frozenset({".", ",", "SELECT", "DISTINCT"})
_NO_VARIABLES = frozenset({"OUTFILE", "DUMPFILE", "TEMP", "TEMPORARY", "TABLE"})
"""What may come after INTO where no variable does."""


def take_into(tokens: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """The statement without its INTO, and the variables the INTO names (none: it writes into none)."""
    walker = TokenCursor(tokens)
    at = 0
    if walker.word_at(0) in _CHANGES:
        # Every other INTO of such a statement names a table.
        at = walker.seek(1, "RETURNING", "RETURN")
        if walker.word_at(at) == "RETURN":
            tokens = [*tokens[:at], like(tokens[at], TokenType.RETURNING, "RETURNING"), *tokens[at + 1 :]]
    while True:
        at = walker.seek(at + 1, "INTO", "BULK COLLECT INTO")
        if at >= walker.stop:
            return tokens, []
        # ``SELECT a, t.upsert INTO v``: a column may be called like a verb.
        is_verb = walker.word_at(at - 1) in _WRITES_INTO and walker.word_at(at - 2) not in _BEFORE_COLUMNS
        if not is_verb and walker.word_at(at + 1) not in _NO_VARIABLES:
            break
    start = at
    if walker.word_at(at) == "INTO" and walker.word_at(at - 1) == "COLLECT":
        start = at - 2
    first = at + 2 if walker.word_at(at + 1) == "STRICT" else at + 1
    if walker.word_at(start - 1) in ("SELECT", "DISTINCT", "ALL"):
        # PostgreSQL: SELECT INTO a, b x, y FROM …
        end = _names_end(walker, first)
    else:
        end = walker.seek(first, *_INTO_ENDS)
    targets = targets_of(tokens[first:end])
    if not targets:
        return tokens, []
    behind = end
    if walker.word_at(end) == "DEFAULT":
        behind = walker.seek(end, "FROM")
    return tokens[:start] + tokens[behind:], targets


def _names_end(walker: TokenCursor, i: int) -> int:
    """After a list of names."""
    while True:
        i = name_end(walker, i)
        if walker.word_at(i) != ",":
            return i
        i += 1


def bare_query(tokens: list[Token]) -> list[Token]:
    """Without the parentheses around all of it."""
    while (
        len(tokens) > 2
        and tokens[0].token_type is TokenType.L_PAREN
        and tokens[-1].token_type is TokenType.R_PAREN
        and TokenCursor(tokens).close(0) == len(tokens) - 1
    ):
        tokens = tokens[1:-1]
    return tokens


def cursor_query(tokens: list[Token]) -> list[Token]:
    """Without the parentheses around it, and without what it says of updates through the cursor."""
    tokens = bare_query(tokens)
    walker = TokenCursor(tokens)
    at = walker.seek(0, "FOR")
    while at < walker.stop:
        if walker.word_at(at + 1) in ("UPDATE", "READ", "FETCH", "BROWSE", "SHARE", "NO"):
            return tokens[:at]
        at = walker.seek(at + 1, "FOR")
    return tokens


def is_whole_query(tokens: list[Token]) -> bool:
    """Whether nothing but one query stands here: not a sum of subqueries."""
    if tokens[0].token_type is not TokenType.L_PAREN:
        return True
    walker = TokenCursor(tokens)
    closing = walker.close(0)
    return closing == len(tokens) - 1 or walker.word_at(closing + 1) in (
        "UNION",
        "EXCEPT",
        "INTERSECT",
        "MINUS",
        "ORDER BY",
    )
