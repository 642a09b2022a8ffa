"""What a place in a statement can name."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random


@dataclass(frozen=True)
class Field:
    """A column that can be named: by its own name, and by that of its relation where it has one."""

    name: str
    kind: str
    alias: str | None = None

    @property
    def written(self) -> str:
        return self.name if self.name.isidentifier() else f'"{self.name}"'


@dataclass
class Scope:
    """The relations of one FROM clause; `outer` is what a correlated subquery sees around it."""

    fields: list[Field] = field(default_factory=list)
    outer: Scope | None = None
    merged: set[str] = field(default_factory=set)
    """Names that USING or NATURAL made one of two."""

    def add(self, fields: list[Field]) -> None:
        self.fields += fields

    @property
    def aliases(self) -> list[str]:
        return list(dict.fromkeys(field.alias for field in self.fields if field.alias))

    def of(self, alias: str) -> list[Field]:
        return [field for field in self.fields if field.alias == alias]

    def plain(self, name: str) -> bool:
        """Whether the bare name means one thing here."""
        return name in self.merged or sum(field.name == name for field in self.fields) == 1

    def choose(self, kind: str, rng: Random, correlated: float = 0.0) -> str | None:
        """A reference to some column of the kind."""
        if self.outer is not None and rng.random() < correlated:
            outer = self.outer.choose_outer(kind, rng, self)
            if outer is not None:
                return outer
        candidates = [field for field in self.fields if field.kind == kind]
        return self.refer(rng.choice(candidates), rng) if candidates else None

    def choose_outer(self, kind: str, rng: Random, inner: Scope) -> str | None:
        candidates = [field for field in self.fields if field.kind == kind and field.alias]
        if not candidates:
            return self.outer.choose_outer(kind, rng, inner) if self.outer is not None else None
        found = rng.choice(candidates)
        if rng.random() < 0.3 and self.plain(found.name) and all(field.name != found.name for field in inner.fields):
            return found.written
        return f"{found.alias}.{found.written}"

    def refer(self, field_: Field, rng: Random) -> str:
        if field_.alias is None or (self.plain(field_.name) and rng.random() < 0.5):
            return field_.written
        return f"{field_.alias}.{field_.written}"


def output(fields: list[Field], alias: str) -> list[Field]:
    """The columns of a relation as its neighbours see them: of a name that stands twice neither can be named."""
    names = [field.name for field in fields]
    return [Field(field.name, field.kind, alias) for field in fields if names.count(field.name) == 1]
