"""The search index, as far as look-ups by name need it: keywords whose case does not count, wildcards."""

from __future__ import annotations

import re
from typing import Any

from .answers import Refused
from .entities import Entities, Entity
from .kinds import KINDS, Kind

__all__ = ["Search"]

_MOST = 10
"""A field query gives that many hits, whatever size is asked for."""

_CLAUSE = re.compile(r'\s*(?P<field>[\w.]+):(?:"(?P<phrase>(?:[^"\\]|\\.)*)"|(?P<term>(?:[^\s"\\]|\\.)+))\s*')


class Search:
    def __init__(self, entities: Entities) -> None:
        self._entities = entities
        self.down = False

    def by_field(self, query: dict[str, str]) -> dict[str, Any]:
        """A wildcard on one field."""
        pattern = _pattern(query["fieldValue"])
        deleted = query.get("deleted", "false") == "true"
        found = [
            (kind, entity)
            for kind, entity in self._index(query["index"])
            if entity["deleted"] == deleted and pattern.fullmatch(_value(entity, query["fieldName"]))
        ]
        return self._answer(found[:_MOST], len(found))

    def by_query(self, query: dict[str, str]) -> dict[str, Any]:
        """Clauses ``field:"value"`` or ``field:wild*`` that all have to hold. More of the query language is refused."""
        clauses = []
        text = query.get("q", "").strip()
        position = 0
        while text not in ("", "*") and position < len(text):
            clause = _CLAUSE.match(text, position)
            if clause is None:
                raise Refused(400, f"Failed to parse query [{text}]")
            phrase = clause["phrase"]
            pattern = _pattern(clause["term"]) if phrase is None else re.compile(re.escape(_unescaped(phrase).lower()))
            clauses.append((clause["field"], pattern))
            position = clause.end()
            if position < len(text):
                if not text.startswith("AND", position):
                    raise Refused(400, f"Failed to parse query [{text}]")
                position += len("AND")
        deleted = query.get("deleted", "false") == "true"
        found = [
            (kind, entity)
            for kind, entity in self._index(query.get("index", "table_search_index"))
            if entity["deleted"] == deleted
            and all(pattern.fullmatch(_value(entity, field)) for field, pattern in clauses)
        ]
        start, size = int(query.get("from", "0")), int(query.get("size", "10"))
        return self._answer(found[start : start + size], len(found))

    def _index(self, name: str) -> list[tuple[Kind, Entity]]:
        if self.down:
            raise Refused(500, "Connection refused")
        kinds = [kind for kind in KINDS.values() if kind.index and name in (kind.index, kind.type, "all", "dataAsset")]
        if not kinds:
            raise Refused(500, f"no such index [{name}]")
        return [(kind, entity) for kind in kinds for entity in self._entities.of(kind, include="all")]

    @staticmethod
    def _answer(found: list[tuple[Kind, Entity]], total: int) -> dict[str, Any]:
        hits = [
            {
                "_index": kind.index,
                "_id": entity["id"],
                "_score": 1.0,
                "_source": {**entity, "entityType": kind.type},
            }
            for kind, entity in found
        ]
        return {
            "took": 1,
            "timed_out": False,
            "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
            "hits": {"total": {"value": total, "relation": "eq"}, "max_score": 1.0, "hits": hits},
        }


def _value(entity: Entity, field: str) -> str:
    """The keyword of a field, in lower case as the index keeps it."""
    value: Any = entity
    for part in field.removesuffix(".keyword").split("."):
        value = value.get(part, "") if isinstance(value, dict) else ""
    if field == "name":
        raise Refused(400, "name is full text: ask for name.keyword")
    return str(value).lower()


def _pattern(wildcard: str) -> re.Pattern[str]:
    parts = re.findall(r"\\.|.", wildcard.lower(), re.DOTALL)
    forms = {"*": ".*", "?": "."}
    return re.compile("".join(forms.get(part) or re.escape(part[-1]) for part in parts), re.DOTALL)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
