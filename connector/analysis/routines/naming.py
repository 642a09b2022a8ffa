"""Names that stand in variables: ``SET src = 'db.t'; SELECT a FROM IDENTIFIER($src)``."""

from __future__ import annotations

from collections.abc import Container

from sqlglot.tokenizer_core import TokenType

from connector.analysis.routines.dynamic import Constants, evaluate
from connector.analysis.routines.texts import render
from connector.sql.dialects import SqlDialect
from connector.sql.spelled_names import spelled_name, takes_name
from connector.sql.words import STRINGS, Replacement, Tokens, closing, like, replace_where, word

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
