"""What happens to a column on its way: the text of the expressions between a source column and a target column.

The model keeps where its columns stand in the text, so the expressions are cut out of the statements: the items of
select lists, and the right sides of SET. Literals are masked, since this text leaves the machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import TokenType

from connector.model import Column, Model, Process, Relation, Span
from connector.model.levels.versions import separate_versions
from connector.model.levels.walk import end_entities, sort_by_target
from connector.naming import split_parts, unquote
from connector.sql.dialects import SqlDialect
from connector.sql.identity import mask_literals

__all__ = ["Expressions", "Origin", "storable"]

_SELECTED = frozenset({"select_list", "insert-select", "update-select"})
_SET = frozenset({"update-set", "merge-update"})
_ARROW = " → "
_LONGEST = 4000
_PLAIN = re.compile(r"""(?:[\w$#@]+|"[^"]*"|`[^`]*`|\[[^\]]*\])(?:\s*\.\s*(?:[\w$#@*]+|"[^"]*"|`[^`]*`|\[[^\]]*\]))*""")
_ENDS = frozenset(")\"'`]")
"""Behind these a name needs no blank before it."""
_OPERATORS = frozenset(".,(+-*/|=<>%&^~!:")
_BEHIND_SET = frozenset({"FROM", "WHERE", "WHEN", "RETURNING", "OUTPUT", "ON", "INSERT", "DELETE", "ORDER", "LIMIT"})


@dataclass(frozen=True, slots=True)
class Origin:
    """How one source column gets into a target column."""

    function: str | None = None
    """None where it is handed on as it is."""
    inner: tuple[str, ...] = ()
    """The field inside of a structured source column."""


class Expressions:
    """The expressions of one model. Each target column is walked back once for each process."""

    def __init__(self, model: Model, dialect: SqlDialect, *, masked: bool = True) -> None:
        self._dialect = dialect
        self._masked = masked
        self._ends = end_entities(model.entities, keep_temporaries=False)
        self._roots, self._between, _ = sort_by_target(separate_versions(model), self._ends)
        self._texts: dict[Column, str | None] = {}
        self._found: dict[tuple[Process | None, Column], dict[Column, list[Origin]]] = {}

    def origins(self, process: Process | None, source: Column, target: Column) -> list[Origin]:
        """The ways of a source column into a target column, by data flow; at least one."""
        key = (process, target)
        if key not in self._found:
            self._found[key] = self._walk(self._roots.get(process, {}).get(target, []))
        return self._found[key].get(source) or [Origin()]

    def _walk(self, written_by: list[Relation]) -> dict[Column, list[Origin]]:
        found: dict[Column, dict[Origin, None]] = {}
        queue: list[tuple[Column, tuple[str, ...], tuple[str, ...], Column]] = []
        for relation in written_by:
            queue.extend(self._step(relation, (), (), relation.target))
        seen: set[tuple[Column, Column]] = set()
        for column, texts, functions, reader in queue:
            if (column, reader) in seen:
                continue
            seen.add((column, reader))
            if column.entity in self._ends:
                for inner in _inner_fields(column, reader):
                    found.setdefault(column, {})[Origin(_function(texts, functions), inner)] = None
            else:
                for relation in self._between.get(column, ()):
                    queue.extend(self._step(relation, texts, functions, reader))
        return {column: list(origins) for column, origins in found.items()}

    def _step(
        self, relation: Relation, texts: tuple[str, ...], functions: tuple[str, ...], reader: Column
    ) -> list[tuple[Column, tuple[str, ...], tuple[str, ...], Column]]:
        if relation.type != "fdd":
            return []
        target = relation.target
        if target.entity.type == "function":
            functions = (unquote(target.name), *functions)
        else:
            reader = target
            text = self._text(target)
            if text is not None:
                texts, functions = (text, *texts), ()
        return [(source, texts, functions, reader) for source in relation.sources]

    def _text(self, column: Column) -> str | None:
        """The expression that a column of a resultset is made by; None for a column that is handed on."""
        if column not in self._texts:
            self._texts[column] = self._read(column)
        return self._texts[column]

    def _read(self, column: Column) -> str | None:
        if column.span is None or column.system:
            return None
        kind = column.entity.type
        if kind in _SELECTED:
            script, start, end = column.span
            text = _without_alias(script.text[start:end], column.name)
        elif kind in _SET:
            text = self._assigned(column.span)
        else:
            return None
        if not text or _PLAIN.fullmatch(text):
            return None
        return " ".join(storable(mask_literals(text, self._dialect, literals=self._masked)).split())

    def _assigned(self, span: Span) -> str:
        """The right side of an assignment whose left side is at `span`."""
        script, _, end = span
        rest = script.text[end : end + 20_000]
        try:
            tokens = self._dialect.sqlglot.tokenize(rest)
        except TokenError:
            return ""
        if not tokens or tokens[0].token_type is not TokenType.EQ:
            return ""
        depth = cases = 0
        last = None
        for token in tokens[1:]:
            kind, word = token.token_type, token.text.upper()
            if kind is TokenType.L_PAREN:
                depth += 1
            elif kind is TokenType.R_PAREN:
                depth -= 1
            elif kind is TokenType.CASE:
                cases += 1
            elif kind is TokenType.END and cases:
                cases -= 1
            elif depth == 0 and cases == 0 and (kind in (TokenType.COMMA, TokenType.SEMICOLON) or word in _BEHIND_SET):
                break
            if depth < 0:
                break
            last = token
        return rest[tokens[1].start : last.end + 1] if last is not None else ""


def storable(text: str) -> str:
    """Text that a database takes and gives back as it was: halves of characters and NULs are neither."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _function(texts: tuple[str, ...], functions: tuple[str, ...]) -> str | None:
    """Inner expressions first. Where the model knows only the names of functions, these."""
    steps = [f"{', '.join(functions)}(…)"] if functions and not texts else []
    text = _ARROW.join([*steps, *dict.fromkeys(texts)])
    return text[:_LONGEST] + "…" if len(text) > _LONGEST else text or None


def _without_alias(text: str, name: str) -> str:
    """A select item without the name that it is given: ``expression [as] name``, or ``name = expression``."""
    text = text.strip()
    if text[-len(name) :].lower() == name.lower():
        before = text[: -len(name)]
        expression = before.rstrip()
        if expression and (expression != before or expression[-1] in _ENDS):
            words = expression.rsplit(None, 1)
            if words[-1].lower() == "as":
                expression = "".join(words[:-1])
            elif expression[-2:].lower() == "as" and expression[-3] in _ENDS:
                expression = expression[:-2]
            if expression and expression[-1] not in _OPERATORS:
                return expression
    if text[: len(name)].lower() == name.lower():
        rest = text[len(name) :].lstrip()
        if rest.startswith("="):
            return rest[1:].strip()
    return text


def _inner_fields(column: Column, reader: Column) -> list[tuple[str, ...]]:
    """The fields of a structured column that the text of its reader names behind it; the whole column when it names none."""
    if reader.span is None or reader.entity.type not in _SELECTED:
        return [()]
    script, start, end = reader.span
    found: dict[tuple[str, ...], None] = {}
    name = unquote(column.name).lower()
    for span in [column.span, *(column.occurrences or ())]:
        if span is None or span[0] is not script or not start <= span[1] < end:
            continue
        match = _PLAIN.match(script.text, span[1], end)
        parts = split_parts(match[0]) if match is not None else []
        at = next((index for index, part in enumerate(parts) if part.strip().lower() == name), None)
        if match is not None and at is not None:
            called = script.text[match.end() : end].lstrip().startswith("(")
            found[tuple(part.strip() for part in parts[at + 1 : len(parts) - called])] = None
    return list(found) or [()]
