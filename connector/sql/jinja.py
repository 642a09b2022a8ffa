"""Templates in Jinja, as dbt writes them, read without being run.

Expressions become names, statements and comments become white space. Every branch of an ``if`` counts: the text is read
once for each. A ``for`` over a list that stands in the template is expanded, later, on the tokens of its body.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import Literal

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.words import LITERALS, spaces

__all__ = ["Loop", "Template", "expand_loops", "name_of", "resolve_jinja"]

Kind = Literal["name", "value", "any", "clause"]
Found = tuple[int, int, str, Kind]
"""First offset, offset behind, what to show, and what the expression stands for."""
Left = tuple[int, int, str]
"""First offset, offset behind, and what could not be resolved there."""

_PART = re.compile(r"\{\{(?P<expression>.*?)\}\}|\{%[-+]?\s*(?P<tag>[a-z_]+)(?P<rest>.*?)%\}|\{#.*?#\}", re.S)
_REFERENCE = re.compile(r"\s*(ref|source)\s*\((.*)\)\s*\Z", re.S)
_ARGUMENT = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_VALUE = re.compile(r"\s*(?:var|env_var)\s*\(", re.S)
_BLANK_CALLS = re.compile(r"\s*(?:config|log|print|do|exceptions|set_sql_header|return)\b\s*[(.]", re.S)
_HIDING = {"macro": "endmacro", "set": "endset", "docs": "enddocs"}
_FALSE = re.compile(r"\s*(?:loop\.index\s*>\s*1|false)\b", re.I)
_BETWEEN = re.compile(r"\s*not\s+loop\.(last|first)\b")
_FOR = re.compile(r"\s*(\w+)\s+in\s+(.*?)-?\s*\Z", re.S)
_SET = re.compile(r"\s*(\w+)\s*=\s*(.*?)-?\s*\Z", re.S)
_NOT_WORD = re.compile(r"\W+")


@dataclass(slots=True)
class Loop:
    """The body of a ``for`` over known values."""

    start: int
    end: int
    variable: str
    values: list[str]
    between: list[tuple[int, int, str]] = field(default_factory=list)
    """What is left out in the ``last`` or the ``first`` round."""


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
    between: tuple[int, str] | None = None
    at: int = 0


def resolve_jinja(text: str, taken: dict[int, list[int]] | None = None) -> Template:
    """The text without Jinja, of the same length. Of each ``if`` it has the branch that was taken least often so far.

    `taken` counts that from reading to reading.
    """
    parts = list(_PART.finditer(text))
    taken = taken if taken is not None else {}
    for number, count in _branches(parts).items():
        taken.setdefault(number, [0] * count)
    result = Template("", [], [], [], False)
    pieces: list[str] = []
    ifs: list[_If] = []
    loops: list[Loop | None] = []
    lists: dict[str, list[str]] = {}
    hidden_until = ""
    behind = 0
    for number, match in enumerate(parts):
        visible = not hidden_until and all(each.at == each.wanted for each in ifs)
        between = text[behind : match.start()]
        pieces.append(between if visible else spaces(between))
        behind = match.end()
        tag = match["tag"]
        if hidden_until:
            hidden_until = "" if tag == hidden_until else hidden_until
        elif match["expression"] is not None:
            pieces.append(_expression(match, result, loops) if visible else spaces(match[0]))
            continue
        elif tag == "if":
            ifs.append(_opened(match, taken[number], loops, visible))
        elif tag in ("else", "elif") and ifs:
            ifs[-1].at += 1
        elif tag == "endif" and ifs:
            done = ifs.pop()
            if done.between is not None and loops and loops[-1] is not None:
                loops[-1].between.append((done.between[0], match.start(), done.between[1]))
        elif tag == "for":
            loops.append(_loop(match, lists, result))
        elif tag == "endfor" and loops:
            loop = loops.pop()
            if loop is not None:
                loop.end = match.start()
                result.loops.append(loop)
        elif tag == "set" and "=" in match["rest"]:
            _keep_list(match["rest"], lists)
        elif tag in _HIDING:
            hidden_until = _HIDING[tag]
        pieces.append(spaces(match[0]))
    pieces.append(text[behind:] if all(each.at == each.wanted for each in ifs) else spaces(text[behind:]))
    result.text = "".join(pieces)
    result.complete = all(min(counts) > 0 for counts in taken.values())
    return result


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


def _opened(match: re.Match[str], taken: list[int], loops: list[Loop | None], visible: bool) -> _If:
    between = _BETWEEN.match(match["rest"])
    if between is not None or _FALSE.match(match["rest"]):
        taken[:] = [1] * len(taken)
        if between is None or not loops or loops[-1] is None:
            return _If(1 if len(taken) > 1 else -1)
        return _If(0, (match.end(), between[1]))
    wanted = taken.index(min(taken))
    if visible:
        taken[wanted] += 1
    return _If(wanted)


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


def _keep_list(rest: str, lists: dict[str, list[str]]) -> None:
    match = _SET.match(rest)
    values = _values(match[2].strip(), lists) if match is not None else None
    if match is not None and values is not None:
        lists[match[1]] = values


def _loop(match: re.Match[str], lists: dict[str, list[str]], result: Template) -> Loop | None:
    head = _FOR.match(match["rest"])
    values = _values(head[2].strip(), lists) if head is not None else None
    if head is None or not values:
        result.left.append((*match.span(), "the values of this loop are not known: its body is read once"))
        return None
    return Loop(match.end(), match.end(), head[1], values)


def _expression(match: re.Match[str], result: Template, loops: list[Loop | None]) -> str:
    start, end = match.span()
    found = result.found
    inner = match["expression"].strip("-+ \t\r\n")
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
            left_out = {"first"} if number == 0 else set()
            if number == len(loop.values) - 1:
                left_out.add("last")
            expanded.extend(
                _with_value(token, pattern, value)
                for token in body
                if not any(start <= token.start < end and which in left_out for start, end, which in loop.between)
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
