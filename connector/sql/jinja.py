"""Jinja templates, as in dbt projects, read without rendering them.

Expressions become names, statements and comments become white space. Every branch of an ``if`` counts: the text is read
once for each. A ``for`` over a list that stands in the template is expanded, later, on the tokens of its body.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.words import LITERALS, spaces

Kind = Literal["name", "value", "any", "clause", "star"]
Found = tuple[int, int, str, Kind]
"""First offset, offset after, what to show, and what the expression stands for."""
Left = tuple[int, int, str]
"""First offset, offset after, and what could not be resolved there."""

_CODE = r"""(?:'(?:[^';]|;(?!\s*\n)){0,2000}'|"(?:[^";]|;(?!\s*\n)){0,2000}"|[^'"%};]|[%}](?!\}))*"""
"""What stands between the braces. A template inside a string does not end it; strings are bounded to stay linear.

No semicolon stands outside of its strings: in data, ``{{`` and ``{#NAME}`` may be no Jinja, and would reach far."""
_NO_ARRAY = r"""(?!\s*[-+]?\d[\d.,\s]*\}\})(?![^{}]*\}\s*,)(?![^{}'"()|\[]*,[^{}'"()|\[]*\}\})"""
"""No expression, but an array of arrays as PostgreSQL writes it: ``'{{1,2},{3,4}}'``."""
_ODD = r"(?:(?!\{\{)[^;])*?"
"""Whatever else: it ends before the statement does."""
_PART = re.compile(
    r"\{\{" + _NO_ARRAY + r"(?:(?P<expression>" + _CODE + r")|(?P<odd_expression>" + _ODD + r"))\}\}"
    r"|\{%[-+]?\s*(?P<tag>[a-z_]+)(?:(?P<rest>" + _CODE + r")|(?P<odd_rest>" + _ODD + r"))%\}"
    r"|\{#(?![\w.]+\}).*?#\}",
    re.S,
)
_SIGNS = {"{{": "}}", "{%": "%}", "{#": "#}"}
_OPENING = re.compile(r"\{[{%#]")
_REFERENCE = re.compile(r"\s*(ref|source)\s*\((.*)\)\s*\Z", re.S)
_ARGUMENT = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_VALUE = re.compile(r"\s*(?:var|env_var)\s*\(", re.S)
_BLANK_CALLS = re.compile(r"\s*(?:config|log|print|do|exceptions|set_sql_header|return)\b\s*[(.]", re.S)
_STAR = re.compile(r"\s*(?:dbt_utils\s*\.\s*)?star\s*\(\s*(?:from\s*=\s*)?(?:ref|source)\s*\([^()]*\)\s*\)\s*\Z", re.S)
_HIDING = {
    "macro": "endmacro",
    "set": "endset",
    "docs": "enddocs",
    "materialization": "endmaterialization",
    "test": "endtest",
}
_STATEMENT_CALL = re.compile(r"\s*(?:statement|noop_statement|set_sql_header)\s*\(")
_FALSE = re.compile(r"\s*false\b", re.I)
_ROUND = re.compile(
    r"\s*(?:(?P<not>not\s+)?(?P<outer>\w+_)?loop\.(?P<which>first|last)(?(not)\b|\s*-?\s*\Z)"
    r"|loop\.(?P<index>index0?|revindex0?)\s*(?P<sign>==|!=|>|<)\s*(?P<number>\d+|loop\.length)\s*-?\s*\Z)"
)
"""A condition on the round of the loop it stands in."""
_FOR = re.compile(r"\s*(\w+)\s+in\s+(.*?)-?\s*\Z", re.S)
_SET = re.compile(r"\s*(\w+)\s*=\s*(.*?)-?\s*\Z", re.S)
_PLAIN = re.compile(r"(['\"])([A-Za-z_]\w*)\1\Z")
_NOT_WORD = re.compile(r"\W+")


@dataclass(slots=True)
class Loop:
    """The body of a ``for`` over known values."""

    start: int
    end: int
    variable: str
    values: list[str]
    between: list[tuple[int, int, str, bool]] = field(default_factory=list)
    """What is left out in the ``first`` or ``last`` round; with False, in all the others."""


@dataclass(slots=True)
class Template:
    """A template as SQL."""

    text: str
    found: list[Found]
    loops: list[Loop]
    left: list[Left]
    complete: bool
    """Whether every branch of every ``if`` has been taken, in this reading or an earlier one."""


@dataclass(slots=True)
class _If:
    wanted: int
    between: tuple[Loop, int, str, bool] | None = None
    """Where every branch counts, each in its rounds: the loop, where the branch begins, when it is left out."""
    at: int = 0

    @property
    def is_visible(self) -> bool:
        return self.between is not None or self.at == self.wanted

    def close_branch(self, end: int, next_start: int) -> None:
        if self.between is not None:
            loop, start, which, left_out = self.between
            loop.between.append((start, end, which, left_out))
            self.between = (loop, next_start, which, not left_out)


def is_template(text: str) -> bool:
    """Whether a text may be a Jinja template."""
    return "{" in text and any(opening in text and closing in text for opening, closing in _SIGNS.items())


def resolve_jinja(text: str, taken: dict[int, list[int]] | None = None) -> Template:
    """The text without Jinja, of the same length. Of each ``if`` it has the branch that was taken least often so far.

    `taken` counts that from reading to reading.
    """
    parts = list(_parts(text))
    taken = taken if taken is not None else {}
    for number, count in _branches(parts).items():
        taken.setdefault(number, [0] * count)
    result = Template("", [], [], [], False)
    pieces: list[str] = []
    ifs: list[_If] = []
    loops: list[Loop | None] = []
    variables = _Variables()
    hidden_until = ""
    behind = 0
    for number, match in enumerate(parts):
        visible = not hidden_until and all(each.is_visible for each in ifs)
        between = text[behind : match.start()]
        pieces.append(between if visible else spaces(between))
        behind = match.end()
        tag = match["tag"]
        if hidden_until:
            hidden_until = "" if tag == hidden_until else hidden_until
        elif tag is None and match[0][1] == "{":
            pieces.append(_expression(match, result, variables) if visible else spaces(match[0]))
            continue
        elif tag == "if":
            ifs.append(_opened(match, taken[number], loops, visible))
        elif tag in ("else", "elif") and ifs:
            ifs[-1].close_branch(match.start(), match.end())
            ifs[-1].at += 1
        elif tag == "endif" and ifs:
            ifs.pop().close_branch(match.start(), match.end())
        elif tag == "for":
            loops.append(_loop(match, variables, result))
        elif tag == "endfor" and loops:
            loop = loops.pop()
            if loop is not None:
                loop.end = match.start()
                result.loops.append(loop)
        elif tag == "set" and "=" in _rest(match):
            variables.keep(_rest(match))
        elif tag in _HIDING:
            hidden_until = _HIDING[tag]
        elif visible and (tag == "endcall" or (tag == "call" and _STATEMENT_CALL.match(_rest(match)))):
            # What is between the two is run by itself.
            pieces.append(";" + spaces(match[0][1:]))
            continue
        pieces.append(spaces(match[0]))
    pieces.append(text[behind:] if all(each.is_visible for each in ifs) else spaces(text[behind:]))
    result.text = "".join(pieces)
    result.complete = all(min(counts) > 0 for counts in taken.values())
    return result


def _parts(text: str) -> Iterator[re.Match[str]]:
    """What stands between the signs of Jinja. Data may be full of signs that nothing closes: none of them is followed far."""
    last = {opening: text.rfind(closing) for opening, closing in _SIGNS.items()}
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        start = opening.start()
        part = _PART.match(text, start) if last[opening[0]] > start else None
        if part is not None:
            yield part
        at = part.end() if part is not None else start + 1


def _branches(parts: list[re.Match[str]]) -> dict[int, int]:
    """How many branches each ``if`` has, by its number among the parts."""
    counts: dict[int, int] = {}
    opened: list[int] = []
    for number, match in enumerate(parts):
        tag = match["tag"]
        if tag == "if":
            opened.append(number)
            counts[number] = 1
        elif tag in ("else", "elif") and opened:
            counts[opened[-1]] += 1
        elif tag == "endif" and opened:
            opened.pop()
    return counts


def _rest(match: re.Match[str]) -> str:
    """What comes after the first word of a tag."""
    return str(match["rest"] if match["rest"] is not None else match["odd_rest"])


def _opened(match: re.Match[str], taken: list[int], loops: list[Loop | None], visible: bool) -> _If:
    rest = _rest(match)
    which, holds = _round(rest)
    if which or _FALSE.match(rest):
        taken[:] = [1] * len(taken)
        around = loops[:-1] if which.startswith("outer ") else loops
        loop = around[-1] if around else None
        if not which or loop is None:
            # A loop over unknown values is read once: its only round is the first and the last one.
            return _If(0 if holds else 1 if len(taken) > 1 else -1)
        return _If(0, (loop, match.end(), which.removeprefix("outer "), not holds))
    wanted = taken.index(min(taken))
    if visible:
        taken[wanted] += 1
    return _If(wanted)


def _round(condition: str) -> tuple[str, bool]:
    """The round that a condition asks for, ``first`` or ``last`` (of an outer loop with that word before it), and whether
    it holds in that round."""
    match = _ROUND.match(condition)
    if match is None:
        return "", False
    if match["which"]:
        return ("outer " if match["outer"] else "") + match["which"], not match["not"]
    index, sign, number = match["index"], match["sign"], match["number"]
    first = "0" if index.endswith("0") else "1"
    if number == "loop.length" and index == "index":
        which = "last"
    elif number == first:
        which = "last" if index.startswith("rev") else "first"
    else:
        return "", False
    return which, sign == "=="


class _Variables:
    """What ``set`` says in the template itself: lists to loop over, and names."""

    def __init__(self) -> None:
        self.lists: dict[str, list[str]] = {}
        self.names: dict[str, str] = {}

    def keep(self, rest: str) -> None:
        match = _SET.match(rest)
        if match is None:
            return
        name, value = match[1], match[2].strip()
        values = _values(value, self.lists)
        if values is not None:
            self.lists[name] = values
        plain = _PLAIN.match(value)
        if plain is not None and self.names.get(name, plain[2]) == plain[2]:
            self.names[name] = plain[2]
        else:
            # Set twice: which of the two counts is not known.
            self.names[name] = ""


def _values(expression: str, lists: dict[str, list[str]]) -> list[str] | None:
    if expression in lists:
        return lists[expression]
    try:
        found = ast.literal_eval(expression)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if not isinstance(found, (list, tuple)) or not all(isinstance(value, (str, int)) for value in found):
        return None
    return [str(value) for value in found]


def _loop(match: re.Match[str], variables: _Variables, result: Template) -> Loop | None:
    head = _FOR.match(_rest(match))
    values = _values(head[2].strip(), variables.lists) if head is not None else None
    if head is None or not values:
        result.left.append((*match.span(), "the values of this loop are unknown: its body is analysed once"))
        return None
    return Loop(match.end(), match.end(), head[1], values)


def _expression(match: re.Match[str], result: Template, variables: _Variables) -> str:
    start, end = match.span()
    found = result.found
    inner = match[0][2:-2].strip("-+ \t\r\n")
    length = end - start
    if not inner or _BLANK_CALLS.match(inner):
        return spaces(match[0])
    reference = _REFERENCE.match(inner)
    if reference:
        names = [single or double for single, double in _ARGUMENT.findall(reference[2])]
        if reference[1] == "source" and len(names) >= 2 and length >= 3:
            half = start + max(length // 2 - 1, 1)
            found.append((start, half, names[0], "name"))
            found.append((half + 1, end, names[1], "name"))
            return "_" * (half - start) + "." + "_" * (end - half - 1)
        if names:
            found.append((start, end, names[-1] if reference[1] == "ref" else names[0], "name"))
            return "_" * length
    if _STAR.match(inner):
        found.append((start, end, "*", "star"))
        return "_" * length
    if variables.names.get(inner):
        found.append((start, end, variables.names[inner], "any"))
        return "_" * length
    kind: Kind = "value" if _VALUE.match(inner) else "name" if inner == "this" else "clause" if "(" in inner else "any"
    if kind == "clause":
        result.left.append((start, end, f"the macro {inner.partition('(')[0].strip()} is not expanded"))
    found.append((start, end, match[0], kind))
    return "_" * length


def name_of(shown: str) -> str:
    """What an expression is called where a name stands: ``{{ var('db') }}`` is db. No braces in names."""
    inner = shown.strip("{}-+ \t\r\n")
    arguments = _ARGUMENT.findall(inner) if _VALUE.match(inner) else []
    if arguments:
        return str(arguments[0][0] or arguments[0][1])
    return _NOT_WORD.sub("_", inner).strip("_") or "_"


# --- loops ----------------------------------------------------------------------------------------------------------


def expand_loops(tokens: list[Token], loops: list[Loop]) -> list[Token]:
    """The tokens with the body of each loop once for each of its values."""
    for loop in loops:
        pattern = re.compile(r"\{\{[-+]?\s*" + re.escape(loop.variable) + r"\s*[-+]?\}\}")
        inside = [i for i, token in enumerate(tokens) if loop.start <= token.start < loop.end]
        if not inside:
            continue
        first, last = inside[0], inside[-1] + 1
        body = tokens[first:last]
        expanded: list[Token] = []
        for number, value in enumerate(loop.values):
            rounds = {"first": number == 0, "last": number == len(loop.values) - 1}
            expanded.extend(
                _with_value(token, pattern, value)
                for token in body
                if not any(
                    start <= token.start < end and rounds[which] is left_out
                    for start, end, which, left_out in loop.between
                )
            )
        tokens = [*tokens[:first], *expanded, *tokens[last:]]
    return tokens


def _with_value(token: Token, pattern: re.Pattern[str], value: str) -> Token:
    text = pattern.sub(lambda _: value, token.text)
    if text == token.text:
        return token
    kind = token.token_type
    if kind not in LITERALS and kind is not TokenType.IDENTIFIER:
        kind = TokenType.NUMBER if text.isdigit() else TokenType.VAR
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)
