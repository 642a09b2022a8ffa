"""The identity of statements, and query text without the literals and credentials that must not leave the machine."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from connector.common.hashing import text_hash
from connector.options import QueryIdentity
from connector.sql.dialects import SqlDialect, get_dialect
from connector.sql.statement import Statement
from connector.sql.words import LITERALS, STRINGS

_VERBATIM = STRINGS | {TokenType.IDENTIFIER}


def identity_hash(statement: Statement, mode: QueryIdentity) -> str:
    """The hash under which statements are grouped."""
    if mode == "text":
        return statement.hash
    return text_hash(canonical(statement) if mode == "canonical" else shape(statement))


def canonical(statement: Statement) -> str:
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
_PIVOTS = ("PIVOT", "UNPIVOT")
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
_BEHIND_ORDINALS = frozenset({TokenType.HAVING, TokenType.LIMIT, TokenType.OFFSET, TokenType.FETCH, TokenType.QUALIFY})

_OPENS, _CLOSES, _COUNTS, _COUNTS_NO_MORE, _NUMBER, _STRING, _QUOTED_NAME, _HINT = range(8)
_ROLES: dict[TokenType, int] = {
    TokenType.L_PAREN: _OPENS,
    TokenType.R_PAREN: _CLOSES,
    **dict.fromkeys(_ORDINAL_CLAUSES, _COUNTS),
    **dict.fromkeys(_BEHIND_ORDINALS, _COUNTS_NO_MORE),
    TokenType.NUMBER: _NUMBER,
    **dict.fromkeys(STRINGS, _STRING),
    TokenType.IDENTIFIER: _QUOTED_NAME,
    TokenType.HINT: _HINT,
}
"""The tokens that a shape is not simply made of in capitals."""


def shape(statement: Statement) -> str:
    """As `canonical`, and literals do not count either, except those that carry lineage."""
    return " ".join(_fold_lists(_shaped(statement, [])))


def free_literals(statement: Statement) -> set[int]:
    """Which tokens are literals that do not count for the shape, whatever harmless text stands in their place.

    What stands before a parenthesis may be taken for the name of a call: such a literal is not free.
    """
    free: list[int] = []
    _shaped(statement, free)
    kinds = statement.kinds
    return {i for i in free if i + 1 == len(kinds) or kinds[i + 1] is not TokenType.L_PAREN}


def _shaped(statement: Statement, free: list[int]) -> list[str]:
    """The words of a shape, in one pass, before lists are folded. The literals that do not count are added to `free`."""
    text, base, tokens = statement.script.text, statement.base, statement.tokens
    words: list[str] = []
    naming = [False]
    """For each open parenthesis whether literals in it name things."""
    ordinals = [False]
    """For each level whether a bare number stands for a position in the select list."""
    before: Token | None = None
    for i, (token, kind) in enumerate(zip(tokens, statement.kinds, strict=True)):
        role = _ROLES.get(kind)
        if role is None:
            words.append(token.text.upper())
        elif role in (_STRING, _NUMBER):
            if naming[-1] or _carries_lineage(token, kind, before, ordinals[-1]):
                words.append(token.text.upper() if role == _NUMBER else text[base + token.start : base + token.end + 1])
            else:
                words.append("?")
                free.append(i)
        elif role == _QUOTED_NAME:
            words.append(text[base + token.start : base + token.end + 1])
        elif role == _HINT:
            continue
        else:
            words.append(token.text.upper())
            if role == _OPENS:
                name = before.text.upper() if before is not None else ""
                naming.append(naming[-1] or name in _PIVOTS or _NAMING_CALLS.search(name) is not None)
                ordinals.append(False)
            elif role == _CLOSES:
                if len(naming) > 1:
                    naming.pop()
                    ordinals.pop()
            else:
                ordinals[-1] = role == _COUNTS
        before = token
    return words


def _carries_lineage(token: Token, kind: TokenType, before: Token | None, ordinal: bool) -> bool:
    """Whether a literal says where data comes from or goes to."""
    if before is None:
        return kind is not TokenType.NUMBER and (kind is TokenType.HEREDOC_STRING or says_where(token.text))
    kind_before = before.token_type
    if kind_before in _PATH_OPERATORS:
        return True
    if kind is TokenType.NUMBER:
        return ordinal and (kind_before is TokenType.COMMA or kind_before in _ORDINAL_CLAUSES)
    if kind is TokenType.HEREDOC_STRING:
        return True
    word = before.text.upper()
    return word in _PLACE_WORDS or word.startswith("SP_") or says_where(token.text)


def says_where(text: str) -> bool:
    """Whether a string carries lineage by what stands in it: a place, a qualified name, or SQL."""
    return bool(_PLACE.search(text) or _NAME.match(text) or _SQL.search(text))


def _fold_lists(words: list[str]) -> list[str]:
    """``IN ( ? , ? )`` and repeated rows of VALUES count once: their length differs from day to day."""
    if "?" not in words and "VALUES" not in words:
        return words
    folded: list[str] = []
    opened: list[int] = []
    for word in words:
        folded.append(word)
        if word == "?":
            if folded[-5:-1] == ["IN", "(", "?", ","]:
                del folded[-2:]
        elif word == "(":
            opened.append(len(folded) - 1)
        elif word == ")" and opened:
            _fold_row(folded, opened.pop())
    return folded


def _fold_row(folded: list[str], opened: int) -> None:
    """Drops the row just closed when it equals the one before it, the first after VALUES."""
    size = len(folded) - opened
    before = opened - 1 - size
    if (
        before > 0
        and folded[before - 1] == "VALUES"
        and folded[opened - 1] == ","
        and folded[before : opened - 1] == folded[opened:]
    ):
        del folded[opened - 1 :]


_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def storable(text: str) -> str:
    """Text that every database takes: PostgreSQL knows no NUL, and neither has a way to write half a surrogate pair."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", _REPLACEMENT).encode("utf-8", "replace").decode("utf-8")


_SECRET_WORD = re.compile(
    r"(?:PASSWORD|PASSWD|PWD|SECRET|TOKEN|CREDENTIAL|ACCESS_?KEY|AWS_?KEY|SECRET_?KEY|ACCOUNT_?KEY|MASTER_?KEY|API_?KEY|PRIVATE_?KEY|_SAS$|^SAS)",
)


def mask_literals(text: str, dialect: SqlDialect, *, literals: bool = True, shortest: int = 1) -> str:
    """Query text with every literal replaced by ``?`` and without its comments; credentials are always replaced.

    The numbers of a type, as in ``varchar(20)``, are no literals, and neither is a column alias in quotes that the
    dialect also uses for strings.

    With ``literals=False`` only what looks like a credential is replaced. Numbers with fewer characters than `shortest` are kept.
    """
    try:
        tokens = dialect.sqlglot.tokenize(text)
    except TokenError:
        return _mask_roughly(text)
    return mask_tokens(text, tokens, 0, literals=literals, shortest=shortest)


def mask_tokens(text: str, tokens: list[Token], base: int, *, literals: bool = True, shortest: int = 1) -> str:
    """As `mask_literals`, where the tokens of the text are known: their offsets are those in the text plus `base`."""
    pieces: list[str] = []
    behind = 0
    for i, token in enumerate(tokens):
        start, end = token.start - base, token.end + 1 - base
        if start < behind:
            continue
        pieces.append(_gap(text[behind:start]))
        secret = _is_secret(tokens, i)
        masked = secret or (literals and token.token_type in LITERALS and not _is_no_literal(tokens, i))
        if masked and token.token_type is TokenType.NUMBER and end - start < shortest:
            masked = False
        pieces.append("?" if masked else text[start:end])
        behind = end
    return "".join(pieces)


_MAY_HOLD_CREDENTIAL = re.compile(rf"{_SECRET_WORD.pattern}|sig=|key=|IDENTIFIED", re.I | re.M)


def may_hold_credential(text: str) -> bool:
    """Whether a word in the text names something secret; its value may still be none."""
    return _MAY_HOLD_CREDENTIAL.search(text) is not None


_ROUGH_CREDENTIAL = re.compile(rf"((?:{_SECRET_WORD.pattern}|IDENTIFIED\s+BY)\w*[\s=>:]*')([^'\n]*)", re.I)
"""For text that no tokenizer can read: what stands in quotes after such a word, up to the end of the line."""


def blank_credentials(text: str, dialect: SqlDialect) -> str:
    """The text with its credentials overwritten, character by character: places in it stay what they are."""
    if not may_hold_credential(text):
        return text
    try:
        tokens = dialect.sqlglot.tokenize(text)
    except TokenError:
        return _ROUGH_CREDENTIAL.sub(lambda match: match[1] + "?" * len(match[2]), text)
    pieces: list[str] = []
    behind = 0
    for i, token in enumerate(tokens):
        if token.start >= behind and _is_secret(tokens, i):
            quotes = 1 if token.token_type in STRINGS and token.end - token.start > 1 else 0
            first, last = token.start + quotes, token.end + 1 - quotes
            pieces += [text[behind:first], "?" * (last - first)]
            behind = last
    return "".join([*pieces, text[behind:]]) if pieces else text


@cache
def literal_mask(dialect: str) -> Callable[[str], str]:
    """`mask_literals` for one dialect, by its name."""
    return partial(mask_literals, dialect=get_dialect(dialect))


@cache
def credential_blank(dialect: str) -> Callable[[str], str]:
    """`blank_credentials` for one dialect, by its name."""
    return partial(blank_credentials, dialect=get_dialect(dialect))


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
"""Within as many tokens a statement says that it creates a routine, whose body may come after AS as a string."""


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
"""What may stand between a credential's name and its value; a bare word after AS is the name of a column."""


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
    before = tokens[j].text.upper()
    if (j < i - 1 or token.token_type in STRINGS) and _SECRET_WORD.search(before):
        return True
    return j == i - 1 and before == "BY" and j > 0 and tokens[j - 1].text.upper() == "IDENTIFIED"


_ROUGH = re.compile(r"'(?:[^']|'')*(?:'|$)|--[^\n]*|/\*.*?(?:\*/|$)|\b\d+(?:\.\d+)?\b", re.S)


def _mask_roughly(text: str) -> str:
    """For text no tokenizer can read: everything between quotes goes, an open quote takes all that follows."""
    return _ROUGH.sub(lambda match: "?" if match[0][0] in "'0123456789" else " ", text)
