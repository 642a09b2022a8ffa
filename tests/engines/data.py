"""Small random tables, and the ways in which one of their columns is changed.

Values come from tiny domains, so that rows join, group and compare as equal often enough for a change to be seen.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

Value: TypeAlias = "bool | int | float | str | datetime.date | list[Value] | dict[str, Value] | None"
Draw = Callable[[Random], Value]

NULLS = 0.07
"""How many of the drawn values are NULL."""


@dataclass(frozen=True)
class Domain:
    """A type of DuckDB and how a value of it is drawn."""

    type: str
    draw: Draw
    mapping: bool = False
    """Written with MAP {…}: a Python dictionary alone would be a struct."""

    def drawn(self, rng: Random) -> Value:
        return None if rng.random() < NULLS else self.draw(rng)

    def literal(self, value: Value) -> str:
        written = literal(value)
        return f"MAP {written}" if self.mapping and value is not None else written


@dataclass(frozen=True)
class Table:
    """A base table; `unique` columns hold distinct numbers, `key` is declared as its primary key."""

    name: str
    columns: Mapping[str, Domain]
    rows: int = 9
    unique: frozenset[str] = frozenset()
    key: str | None = None

    def draw(self, rng: Random) -> dict[str, list[Value]]:
        return {name: self._draw_column(name, domain, rng) for name, domain in self.columns.items()}

    def _draw_column(self, name: str, domain: Domain, rng: Random) -> list[Value]:
        if name in self.unique or name == self.key:
            # The keys of two tables overlap, and are not the same.
            return list(rng.sample(range(1, self.rows * 3 // 2), self.rows))
        return [domain.drawn(rng) for _ in range(self.rows)]


@dataclass
class Variants:
    """The changed versions of a column, each with a name that a person understands, first those that tell most."""

    domain: Domain
    values: Sequence[Value]
    rng: Random
    names: tuple[str, ...] = field(default=("redrawn", "shifted", "some redrawn", "nulls", "constant", "permuted"))

    def __iter__(self) -> Iterator[tuple[str, list[Value]]]:
        rng, draw, values = self.rng, self.domain.drawn, list(self.values)
        constant = self.domain.draw(rng)
        changed = {
            "permuted": rng.sample(values, len(values)),
            "redrawn": [draw(rng) for _ in values],
            "some redrawn": [draw(rng) if rng.random() < 0.4 else value for value in values],
            "nulls": [None if rng.random() < 0.4 else value for value in values],
            "constant": [constant for _ in values],
            "shifted": [shifted(value) for value in values],
        }
        yield from ((name, changed[name]) for name in self.names)


def shifted(value: Value) -> Value:
    """A neighbour of the value, outside the domain at its upper end."""
    if value is None:
        return None
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, datetime.date):
        return value + datetime.timedelta(days=1)
    if isinstance(value, list):
        return [shifted(item) for item in value]
    if isinstance(value, dict):
        return {key: shifted(item) for key, item in value.items()}
    return f"{value}x"


def literal(value: Value) -> str:
    """The value as DuckDB reads it."""
    if value is None:
        return "NULL"
    if isinstance(value, (bool, int, float)):
        return str(value)
    if isinstance(value, datetime.date):
        return f"DATE '{value.isoformat()}'"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"'{key}': {literal(item)}" for key, item in value.items()) + "}"
    return "'" + value.replace("'", "''") + "'"


def integers(low: int = 0, high: int = 5) -> Domain:
    return Domain("INTEGER", lambda rng: rng.randint(low, high))


def choices(type_: str, values: Sequence[Value]) -> Domain:
    return Domain(type_, lambda rng: rng.choice(values))


def days(first: datetime.date, count: int) -> Domain:
    return Domain("DATE", lambda rng: first + datetime.timedelta(days=rng.randrange(count)))


def lists(item: Domain, longest: int = 3) -> Domain:
    return Domain(f"{item.type}[]", lambda rng: [item.draw(rng) for _ in range(rng.randint(0, longest))])


def structs(**fields: Domain) -> Domain:
    type_ = ", ".join(f"{name} {domain.type}" for name, domain in fields.items())
    return Domain(f"STRUCT({type_})", lambda rng: {name: domain.drawn(rng) for name, domain in fields.items()})


def maps(keys: Sequence[str], item: Domain) -> Domain:
    def draw(rng: Random) -> Value:
        return {key: item.draw(rng) for key in keys if rng.random() < 0.8}

    return Domain(f"MAP(VARCHAR, {item.type})", draw, mapping=True)
