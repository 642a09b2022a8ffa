"""Words that the grammar takes for something else: keywords of several words, names that are keywords, options after a query."""

from __future__ import annotations

from functools import cache

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.dialects import SqlDialect
from connector.sql.words import LITERALS, NAMES, Replacement, Tokens, like, opening, replace_where, word

_OPTIONS: dict[str, frozenset[str]] = {
    "DISTRIBUTED": frozenset({"BY", "RANDOMLY", "REPLICATED"}),
    "DISTRIBUTE": frozenset({"ON"}),
    "SEGMENTED": frozenset({"BY"}),
    "UNSEGMENTED": frozenset({"ALL", "NODE", "SITE"}),
    "ORGANIZE": frozenset({"ON", "BY"}),
    "KSAFE": frozenset(),
    "WITH": frozenset({"UR", "CS", "RS", "RR", "DATA", "NO", "CHECK", "READ", "HINT"}),
    "FOR": frozenset({"READ", "FETCH", "BROWSE"}),
    "OPTIMIZE": frozenset({"FOR"}),
    "PRIMARY": frozenset({"INDEX"}),
    "UNIQUE": frozenset({"PRIMARY", "INDEX"}),
    "NO": frozenset({"PRIMARY"}),
    "QUERYNO": frozenset(),
    "IN": frozenset(),
    "TABLESPACE": frozenset(),
}
"""First words of options that may follow a query, each with the words that may come second (empty: any)."""


def cut_trailing(tokens: Tokens, failed: int) -> Tokens | None:
    """The statement up to the token where the grammar gave up, when that token begins an option of the vendor."""
    if failed < 4 or opening(tokens, failed) >= 0 or not _is_option(tokens, failed):
        return None
    return tokens[:failed]


def _is_option(tokens: Tokens, at: int) -> bool:
    seconds = _OPTIONS.get(tokens[at].text.upper())
    if seconds is None:
        return False
    return not seconds or (at + 1 < len(tokens) and tokens[at + 1].text.upper() in seconds)


_BEFORE_NAME = frozenset("SELECT DISTINCT FROM JOIN INTO UPDATE TABLE WHERE AND OR ON BY SET HAVING".split()) | set(
    ",.=<>+-*/"
)
"""Words and signs after which a name may stand."""
_BEHIND_NAME = frozenset("FROM AS WHERE AND OR ON GROUP ORDER HAVING JOIN LEFT INNER SET VALUES LIMIT UNION".split())
_BEHIND_NAME |= {"", ",", ".", ")", "=", "<", ">", "+", "-", "*", "/", "<>", "!=", "GROUP BY", "ORDER BY"}
_NO_NAMES = frozenset("SELECT FROM WHERE JOIN INTO VALUES ON AND OR NOT CASE WHEN THEN ELSE END UNION NULL".split())


def with_name(tokens: Tokens, failed: int) -> Tokens | None:
    """The tokens with the keyword that the grammar stumbled over, or the one before it, as a name where one may stand."""
    for i in (failed, failed - 1):
        if i < 1 or tokens[i].token_type in LITERALS or tokens[i].token_type in NAMES:
            continue
        said = word(tokens, i)
        if not said.isidentifier() or said in _NO_NAMES or word(tokens, i + 1) not in _BEHIND_NAME:
            continue
        if word(tokens, i - 1) in _BEFORE_NAME:
            return [*tokens[:i], like(tokens[i], TokenType.VAR, tokens[i].text), *tokens[i + 1 :]]
    return None


OWN = "\u2063"
"""Marks the name of a function that is not the one which the grammar knows by that name; no script has such a sign."""


def with_own_function(tokens: Tokens, failed: int) -> Tokens | None:
    """``dbo.split(list)``: the tokens with a function of the database marked, that has the name of one of another vendor.

    The grammar has counted its arguments, and refuses the bracket behind them.
    """
    if tokens[failed].token_type is not TokenType.R_PAREN:
        return None
    at = opening(tokens, failed) - 1
    name = tokens[at].text.upper() if at >= 0 else ""
    if not name.isidentifier() or name in _NO_NAMES:
        return None
    return [
        like(token, TokenType.VAR, token.text + OWN)
        if token.text.upper() == name and word(tokens, i + 1) == "("
        else token
        for i, token in enumerate(tokens)
    ]


_Phrases = dict[str, list[tuple[tuple[str, ...], TokenType]]]


@cache
def _phrases(dialect: SqlDialect) -> _Phrases:
    """The keywords of several words by their first, long ones first."""
    found: _Phrases = {}
    for phrase, kind in dialect.sqlglot.tokenizer_class.KEYWORDS.items():
        words = tuple(phrase.upper().split())
        if len(words) > 1 and all(word.isalpha() for word in words):
            found.setdefault(words[0], []).append((words[1:], kind))
    for phrases in found.values():
        phrases.sort(key=lambda entry: -len(entry[0]))
    return found


def join_keywords(tokens: Tokens, dialect: SqlDialect) -> Tokens:
    """The tokens with the words of each such keyword in one; the same list when there is none."""
    phrases = _phrases(dialect)
    return replace_where(lambda tokens, i: _keyword(tokens, i, phrases))(tokens)


def _keyword(tokens: Tokens, i: int, phrases: _Phrases) -> Replacement | None:
    first = tokens[i]
    if first.token_type is TokenType.IDENTIFIER or (i and tokens[i - 1].token_type is TokenType.DOT):
        return None
    for rest, kind in phrases.get(first.text.upper(), ()):
        following = tokens[i + 1 : i + 1 + len(rest)]
        if tuple(token.text.upper() for token in following) == rest:
            last = following[-1]
            text = " ".join((first.text, *(token.text for token in following)))
            return [Token(kind, text, last.line, last.col, first.start, last.end, [])], 1 + len(rest)
    return None
