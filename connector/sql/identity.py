"""What makes two statements the same one, and query text that may leave the machine."""

from __future__ import annotations

import re
from hashlib import md5

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from connector.options import QueryIdentity
from connector.sql.dialects import SqlDialect
from connector.sql.statement import Statement
from connector.sql.words import LITERALS, STRINGS

__all__ = ["canonical", "identity_hash", "mask_literals", "shape", "text_hash"]

_VERBATIM = STRINGS | {TokenType.IDENTIFIER}


def text_hash(text: str) -> str:
    """MD5 of a text in UTF-8, in lower-case hexadecimal digits."""
    return md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def identity_hash(statement: Statement, dialect: SqlDialect, mode: QueryIdentity) -> str:
    """The hash under which statements are grouped."""
    if mode == "text":
        return statement.hash
    return text_hash(canonical(statement, dialect) if mode == "canonical" else shape(statement, dialect))


def canonical(statement: Statement, dialect: SqlDialect) -> str:
    """The statement without what does not count: line ends, white space, comments, the case of unquoted words."""
    return " ".join(_words(statement))


def _words(statement: Statement) -> list[str]:
    text, base = statement.script.text, statement.base
    return [
        text[base + token.start : base + token.end + 1] if token.token_type in _VERBATIM else token.text.upper()
        for token in statement.tokens
        if token.token_type is not TokenType.HINT
    ]


_PLACE = re.compile(
    r"://|^(?:/|\.{1,2}/|@|~|\$[.\[]|[a-z]:\\|\\\\|(?:dbfs|file|hdfs|s3[an]?|gs|abfss?|wasbs?|adl):)", re.I
)
_NAME = re.compile(r"""^["`\[]?[^\W\d][\w$#\- ]*["`\]]?(?:\.["`\[]?[^\W\d][\w$#\-]*["`\]]?)+$""")
_SQL = re.compile(r"\b(?:select|insert|update|delete|merge|create|alter|drop|truncate|exec|call)\b", re.I)
_PLACE_WORDS = frozenset(
    {
        "FROM",
        "INTO",
        "JOIN",
        "TABLE",
        "TO",
        "UPDATE",
        "USING",
        "INPATH",
        "LOCATION",
        "PATH",
        "DIRECTORY",
        "OUTFILE",
        "INFILE",
        "DUMPFILE",
        "FILE",
        "FILES",
        "URL",
        "URI",
        "AS",
        "IMMEDIATE",
        "PREPARE",
    }
)
_NAMING_CALLS = re.compile(
    r"JSON|XML|XPATH|PATH|^TABLE$|IDENTIFIER|^READ_|_SCAN$|^OPEN|^FILES$|STREAM|^SP_RENAME$|^SP_EXECUTESQL$|FLATTEN|CURSOR|REMOTE|^S3$|^URL$|^HDFS$|FIELD",
)
_PATH_OPERATORS = frozenset(
    {
        TokenType.ARROW,
        TokenType.DARROW,
        TokenType.HASH_ARROW,
        TokenType.DHASH_ARROW,
        TokenType.L_BRACKET,
        TokenType.COLON,
        TokenType.DOT,
        TokenType.PARAMETER,
        TokenType.DOLLAR,
    }
)
_ORDINAL_CLAUSES = frozenset({TokenType.GROUP_BY, TokenType.ORDER_BY})


def shape(statement: Statement, dialect: SqlDialect) -> str:
    """As `canonical`, and literals do not count either, except those that carry lineage."""
    tokens = [token for token in statement.tokens if token.token_type is not TokenType.HINT]
    words = _words(statement)
    keep = _Keeper(tokens)
    shaped = [
        "?" if token.token_type in LITERALS and not keep.carries_lineage(i) else words[i]
        for i, token in enumerate(tokens)
        if keep.step(i)
    ]
    return " ".join(_fold_lists(shaped))


class _Keeper:
    """Decides, going over the tokens once, which literals say where data comes from or goes to."""

    __slots__ = ("calls", "ordinals", "tokens")

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.calls: list[bool] = []
        """For each open parenthesis whether literals in it name things."""
        self.ordinals: list[bool] = [False]
        """For each level whether a bare number stands for a position in the select list."""

    def step(self, i: int) -> bool:
        kind = self.tokens[i].token_type
        if kind is TokenType.L_PAREN:
            before = self.tokens[i - 1].text.upper() if i else ""
            naming = before in ("PIVOT", "UNPIVOT") or bool(_NAMING_CALLS.search(before))
            self.calls.append(naming or (bool(self.calls) and self.calls[-1]))
            self.ordinals.append(False)
        elif kind is TokenType.R_PAREN:
            if self.calls:
                self.calls.pop()
                self.ordinals.pop()
        elif kind in _ORDINAL_CLAUSES:
            self.ordinals[-1] = True
        elif kind in (TokenType.HAVING, TokenType.LIMIT, TokenType.OFFSET, TokenType.FETCH, TokenType.QUALIFY):
            self.ordinals[-1] = False
        return True

    def carries_lineage(self, i: int) -> bool:
        token = self.tokens[i]
        before = self.tokens[i - 1] if i else None
        if self.calls and self.calls[-1]:
            return True
        if before is not None and before.token_type in _PATH_OPERATORS:
            return True
        if token.token_type is TokenType.NUMBER:
            return (
                self.ordinals[-1]
                and before is not None
                and (before.token_type is TokenType.COMMA or before.token_type in _ORDINAL_CLAUSES)
            )
        if token.token_type is TokenType.HEREDOC_STRING:
            return True
        if before is not None and (before.text.upper() in _PLACE_WORDS or before.text.upper().startswith("SP_")):
            return True
        text = token.text
        return bool(_PLACE.search(text) or _NAME.match(text) or _SQL.search(text))


def _fold_lists(words: list[str]) -> list[str]:
    """``IN ( ? , ? )`` and repeated rows of VALUES count once: their length differs from day to day."""
    folded: list[str] = []
    for word in words:
        folded.append(word)
        if word == "?" and folded[-3:-1] == ["?", ","] and _in_list(folded):
            del folded[-2:]
        elif word == ")":
            _fold_row(folded)
    return folded


def _in_list(folded: list[str]) -> bool:
    return folded[-5:-3] == ["IN", "("]


def _fold_row(folded: list[str]) -> None:
    """Drops the row just closed when it equals the one before it."""
    opened = len(folded) - 1
    depth = 0
    while opened >= 0:
        if folded[opened] == ")":
            depth += 1
        elif folded[opened] == "(":
            depth -= 1
            if not depth:
                break
        opened -= 1
    row = folded[opened:]
    before = opened - 1 - len(row)
    if opened > 0 and folded[opened - 1] == "," and before >= 0 and folded[before : opened - 1] == row:
        if "VALUES" in folded[max(before - 1, 0) : before]:
            del folded[opened - 1 :]


_SECRET_WORD = re.compile(
    r"(?:PASSWORD|PASSWD|PWD|SECRET|TOKEN|CREDENTIAL|ACCESS_?KEY|SECRET_?KEY|ACCOUNT_?KEY|MASTER_?KEY|API_?KEY|PRIVATE_?KEY|_SAS$|^SAS)",
)


def mask_literals(text: str, dialect: SqlDialect, *, literals: bool = True) -> str:
    """Query text with every literal replaced by ``?`` and without its comments; credentials are always replaced.

    The numbers of a type, as in ``varchar(20)``, are no literals, and neither is a column alias in quotes that the
    dialect also uses for strings.

    With ``literals=False`` only what looks like a credential is replaced.
    """
    try:
        tokens = dialect.sqlglot.tokenize(text)
    except TokenError:
        return _mask_roughly(text)
    pieces: list[str] = []
    behind = 0
    for i, token in enumerate(tokens):
        if token.start < behind:
            continue
        pieces.append(_gap(text[behind : token.start]))
        secret = _is_secret(tokens, i)
        masked = secret or (literals and token.token_type in LITERALS and not _is_no_literal(tokens, i))
        pieces.append("?" if masked else text[token.start : token.end + 1])
        behind = token.end + 1
    return "".join(pieces)


_SIZED_TYPES = frozenset(
    {
        TokenType.BINARY,
        TokenType.BIT,
        TokenType.CHAR,
        TokenType.DECIMAL,
        TokenType.DOUBLE,
        TokenType.FLOAT,
        TokenType.NCHAR,
        TokenType.NVARCHAR,
        TokenType.TEXT,
        TokenType.TIME,
        TokenType.TIMESTAMP,
        TokenType.TIMESTAMPLTZ,
        TokenType.TIMESTAMPNTZ,
        TokenType.TIMESTAMPTZ,
        TokenType.VARBINARY,
        TokenType.VARCHAR,
    }
)
_LONGEST_SIZE = 5
"""Digits of the largest size; a longer number in parentheses is an argument of a function that is called like a type."""


def _is_no_literal(tokens: list[Token], i: int) -> bool:
    return _sizes_a_type(tokens, i) or _is_quoted_alias(tokens, i)


_BEHIND_ALIAS = frozenset({TokenType.COMMA, TokenType.FROM, TokenType.R_PAREN, TokenType.SEMICOLON, TokenType.INTO})
_ROUTINES = frozenset({"FUNCTION", "PROCEDURE", "AGGREGATE"})
_HEAD_TOKENS = 8
"""Within as many tokens a statement says that it creates a routine, whose body may stand behind AS as a string."""


def _is_quoted_alias(tokens: list[Token], i: int) -> bool:
    """Whether the string at `i` is a name: ``select price as "p"`` where double quotes are those of strings."""
    if i == 0 or tokens[i].token_type not in STRINGS or tokens[i - 1].token_type is not TokenType.ALIAS:
        return False
    if i + 1 < len(tokens) and tokens[i + 1].token_type not in _BEHIND_ALIAS:
        return False
    return not any(token.text.upper() in _ROUTINES for token in tokens[:_HEAD_TOKENS])


def _sizes_a_type(tokens: list[Token], i: int) -> bool:
    """Whether the number at `i` is the length, precision or scale of a type."""
    if tokens[i].token_type is not TokenType.NUMBER or len(tokens[i].text) > _LONGEST_SIZE:
        return False
    j = i - 1
    if j > 1 and tokens[j].token_type is TokenType.COMMA and tokens[j - 1].token_type is TokenType.NUMBER:
        j -= 2
    return j > 0 and tokens[j].token_type is TokenType.L_PAREN and tokens[j - 1].token_type in _SIZED_TYPES


def _gap(between: str) -> str:
    """The white space between two tokens; a comment in it is dropped."""
    if not between or between.isspace():
        return between
    return "\n" if "\n" in between else " "


_BEFORE_WORD = frozenset({TokenType.EQ, TokenType.FARROW, TokenType.COLON})
_BEFORE_VALUE = _BEFORE_WORD | {TokenType.ALIAS}
"""What may stand between a credential's name and its value; a bare word behind AS is the name of a column."""


def _is_secret(tokens: list[Token], i: int) -> bool:
    """Whether the token is the value of something called a password, a secret or a key."""
    token = tokens[i]
    if token.token_type in STRINGS and re.search(r"(?:sig|password|secret|token|key)=", token.text, re.I):
        return True
    if token.token_type not in _VERBATIM and token.token_type not in (TokenType.VAR, TokenType.NUMBER):
        return False
    between = _BEFORE_VALUE if token.token_type in STRINGS else _BEFORE_WORD
    j = i - 1
    while j >= 0 and tokens[j].token_type in between:
        j -= 1
    if j < 0:
        return False
    named = bool(_SECRET_WORD.search(tokens[j].text.upper()))
    if j < i - 1:
        return named
    if token.token_type in STRINGS:
        return named or (tokens[j].text.upper() == "BY" and j > 0 and tokens[j - 1].text.upper() == "IDENTIFIED")
    return tokens[j].text.upper() == "BY" and j > 0 and tokens[j - 1].text.upper() == "IDENTIFIED"


_ROUGH = re.compile(r"'(?:[^']|'')*(?:'|$)|--[^\n]*|/\*.*?(?:\*/|$)|\b\d+(?:\.\d+)?\b", re.S)


def _mask_roughly(text: str) -> str:
    """For text no tokenizer can read: everything between quotes goes, an open quote takes all that follows."""
    return _ROUGH.sub(lambda match: "?" if match[0][0] in "'0123456789" else " ", text)
