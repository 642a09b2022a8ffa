"""Macros that are given the names of tables: ``MACRO first_of(tab) AS TABLE FROM query_table(tab) LIMIT 1``.

What such a macro reads only its calls say, so its body is read once more for each set of texts that it is called with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import TokenCursor
from connector.sql.procedural.heads import Head
from connector.sql.statement import Statement
from connector.sql.words import STRINGS, like

_TAKE_TEXTS = frozenset({"QUERY", "QUERY_TABLE"})


@dataclass(slots=True, eq=False)
class Template:
    """The definition of a macro, kept to be read with the texts of a call in it."""

    head: Head
    statement: Statement
    tokens: list[Token]
    places: list[int]
    """Where its parameters are passed on to functions that take texts."""

    def filled(self, texts: Mapping[str, str]) -> list[Token]:
        """The tokens with texts in the places of parameters."""
        found = list(self.tokens)
        for i in self.places:
            text = texts.get(self.tokens[i].text.lower())
            if text is not None:
                found[i] = like(found[i], TokenType.STRING, text)
        return found

    def texts(self, arguments: Iterable[Any]) -> dict[str, str]:
        """The texts that a call passes, by the names of their parameters; a default where it passes none."""
        parameters = self.head.parameters
        names = [parameter.name.text.lower() if parameter.name is not None else "" for parameter in parameters]
        found = {
            name: parameter.default[0].text
            for name, parameter in zip(names, parameters, strict=True)
            if len(parameter.default) == 1 and parameter.default[0].token_type in STRINGS
        }
        for place, argument in enumerate(arguments):
            name = names[place] if place < len(names) else ""
            value = argument
            if argument.__class__ in (exp.Kwarg, exp.PropertyEQ):
                name, value = argument.args["this"].name.lower(), argument.args["expression"]
            if value.__class__ is exp.Literal and value.args.get("is_string"):
                found[name] = value.name
        return found


def template_of(
    head: Head, statement: Statement, tokens: list[Token], is_template: Callable[[str], bool]
) -> Template | None:
    """The definition, if a function in it that takes the text of a query, or a macro that does, is given a parameter."""
    names = {parameter.name.text.lower() for parameter in head.parameters if parameter.name is not None}
    start, stop = head.body
    walker = TokenCursor(tokens, start, stop)
    places: list[int] = []
    for i in range(start, stop) if names else ():
        word = walker.word_at(i)
        if walker.word_at(i + 1) == "(" and (word in _TAKE_TEXTS or is_template(word.lower())):
            inside = range(i + 2, walker.close(i + 1))
            places += [at for at in inside if tokens[at].token_type not in STRINGS and tokens[at].text.lower() in names]
    return Template(head, statement, tokens, places) if places else None
