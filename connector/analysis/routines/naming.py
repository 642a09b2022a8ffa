"""Names that stand in variables: ``SET src = 'db.t'; SELECT a FROM IDENTIFIER($src)``."""

from __future__ import annotations

from connector.analysis.routines.dynamic import Constants, evaluate
from connector.analysis.routines.texts import render
from connector.sql.dialects import Fold
from connector.sql.spelled_names import spelled_name, takes_name
from connector.sql.words import Replacement, Tokens, closing, replace_where, word


def with_names(tokens: Tokens, constants: Constants, fold: Fold, base: int) -> Tokens:
    """The tokens with the name that each IDENTIFIER(…) or TABLE(…) means, as far as the variables in it are constant."""
    if not constants or not any(token.text.upper() in ("IDENTIFIER", "TABLE") for token in tokens):
        return tokens

    def find(tokens: Tokens, i: int) -> Replacement | None:
        if word(tokens, i + 1) != "(" or not takes_name(tokens, i):
            return None
        end = closing(tokens, i + 1)
        texts, _ = render(evaluate(tokens[i + 2 : end], constants, fold, base))
        is_known = len(texts) == 1 and texts[0].text and texts[0].complete
        return (spelled_name(tokens[i], texts[0].text), end + 1 - i) if is_known else None

    return replace_where(find)(tokens)
