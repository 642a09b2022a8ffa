"""A difference as text, as JSON, and as Markdown for a pull request."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from connector.compare.difference import ComparedLevel, Difference, Edge
from connector.export.view import printable
from connector.naming import DEFAULT, join_name, parse_name
from connector.sql.dialects import SqlDialect
from connector.sql.identity import mask_literals
from connector.sql.masked_names import SHORTEST_NUMBER

_ARROWS = {"fdd": "->", "fdr": "~>"}


def render_text(difference: Difference, level: ComparedLevel) -> str:
    """One line per edge, as in a patch: ``+`` was added, ``-`` was removed, ``!`` has a different expression."""
    marked = [("-", edge) for edge in difference.removed] + [("+", edge) for edge in difference.added]
    marked += [("!", edge) for _, edge in difference.changed]
    marked.sort(key=lambda line: (line[1].target.lower(), line[0] == "+", line[1].source))
    drop = _common_cluster(edge for _, edge in marked)
    return "".join([f"{mark} {_line(edge, drop)}\n" for mark, edge in marked])


def _common_cluster(edges: Iterable[Edge]) -> str:
    """The common suffix of all names, which can be omitted."""
    clusters = {parse_name(name).cluster for edge in edges for name in (edge.source, edge.target)}
    return join_name([], clusters.pop()) if len(clusters) == 1 and None not in clusters else ""


def render_markdown(
    difference: Difference, level: ComparedLevel, dialect: SqlDialect, problems: Sequence[str] = ()
) -> str:
    """A comment for a pull request: what changes in each target, and what the scripts name that is not there.

    Comments are read by more people than the scripts, so literals are masked.
    """
    changes: list[tuple[str, Edge, Edge | None]] = [
        *[("added", edge, None) for edge in difference.added],
        *[("removed", edge, None) for edge in difference.removed],
        *[("changed", after, before) for before, after in difference.changed],
    ]
    changes.sort(key=lambda change: (change[1].target.lower(), change[1].source, change[0]))
    rows: dict[str, list[str]] = {}
    for mark, edge, before in changes:
        origin, target = edge.public
        *table, column = _short(target) if level == "column" else [*_short(target), ""]
        source = _short(origin)
        how = _how(before, edge, dialect)
        kind = edge.transformation or ("data" if edge.type == "fdd" else "impact")
        cells = [mark, _code(".".join(source)), *([_code(column)] if level == "column" else []), kind, how]
        rows.setdefault(".".join(table), []).append("| " + " | ".join([*cells, _escaped(edge.place or "")]) + " |")
    counts = {
        "added": len(difference.added),
        "removed": len(difference.removed),
        "changed": len(difference.changed),
    }
    counted = ", ".join([f"{count} {word}" for word, count in counts.items() if count])
    lines = ["### Lineage", "", f"{counted.capitalize() or 'No changes'}.", ""]
    head = "| | source | column | kind | expression | statement |" if level == "column" else _TABLE_HEAD
    for name, found in rows.items():
        lines += [f"**{_code(name)}**", "", head, "|---" * (head.count("|") - 1) + "|", *found, ""]
    if problems:
        lines += ["**Problems**", "", *[f"- {_escaped(problem)}" for problem in dict.fromkeys(problems)], ""]
    return "\n".join(lines)


def _how(before: Edge | None, after: Edge, dialect: SqlDialect) -> str:
    """The expression of an edge; of a changed one, those before and after."""
    now = _code(_masked(after.expression, dialect))
    if before is None:
        return now
    then = _code(_masked(before.expression, dialect))
    return f"{now} (other literals)" if now == then and now else f"{then} → {now}"


def _masked(expression: str | None, dialect: SqlDialect) -> str:
    return mask_literals(expression, dialect, shortest=SHORTEST_NUMBER) if expression else ""


def _short(name: str) -> list[str]:
    """The parts of a name without what is merely the default, in the words of people."""
    parts = list(parse_name(name).parts)
    if _ORPHANS in parts:
        return ["(unknown table)", *parts[parts.index(_ORPHANS) + 1 :]]
    while len(parts) > 1 and parts[0] == DEFAULT:
        del parts[0]
    return [*parts[:-1], _ROWS.get(parts[-1], parts[-1])]


_ORPHANS = "pseudo_table_include_orphan_column"
_ROWS = {"PseudoRows": "(rows)", "RelationRows": "(rows)"}
_TABLE_HEAD = "| | source | kind | expression | statement |"


def _code(text: str | None) -> str:
    """Text in a cell, as code: on one line, whatever is in it."""
    if not text:
        return ""
    line = printable(" ".join(text.split())).replace("|", "\\|")
    fence = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    blank = " " if len(fence) > 1 else ""
    return f"{fence}{blank}{line}{blank}{fence}"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", printable(" ".join(text.split())))


def _line(edge: Edge, drop: str) -> str:
    place = f"  ({edge.place})" if edge.place else ""
    source, target = (name.removesuffix(drop) for name in edge.public)
    return printable(f"{source} {_ARROWS.get(edge.type, edge.type)} {target}{place}")


def render_json(difference: Difference, level: ComparedLevel, dialect: SqlDialect) -> str:
    """For programs that comment or decide: literals are masked, as in the Markdown."""
    document = {
        "level": level,
        "added": [_edge(edge, dialect) for edge in difference.added],
        "removed": [_edge(edge, dialect) for edge in difference.removed],
        "changed": [
            {**_edge(after, dialect), "expression": {"old": _plain(before, dialect), "new": _plain(after, dialect)}}
            for before, after in difference.changed
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _edge(edge: Edge, dialect: SqlDialect) -> dict[str, Any]:
    source, target = edge.public
    return {
        "type": edge.type,
        "source": {"kind": edge.source_kind, "qualifiedName": source},
        "target": {"kind": edge.target_kind, "qualifiedName": target},
        "place": edge.place,
        "transformation": edge.transformation,
        "expression": _plain(edge, dialect),
    }


def _plain(edge: Edge, dialect: SqlDialect) -> str | None:
    return _masked(edge.expression, dialect) or None
