"""What all parts of the grammar share: chance, fresh names, and each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, TypeVar

from tests.engines.grammar.scope import Field

if TYPE_CHECKING:
    from tests.engines.grammar.expressions import Expressions
    from tests.engines.grammar.queries import Queries
    from tests.engines.grammar.relations import Relations

T = TypeVar("T")


@dataclass
class Writer:
    """Draws one statement."""

    rng: Random
    features: Counter[str] = field(default_factory=Counter)
    tables: dict[str, list[Field]] = field(default_factory=dict)
    """What FROM can name: base tables, and the CTEs and views in sight."""
    base: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        from tests.engines.grammar.expressions import Expressions
        from tests.engines.grammar.queries import Queries
        from tests.engines.grammar.relations import Relations

        self._numbers: Counter[str] = Counter()
        self.expressions: Expressions = Expressions(self)
        self.relations: Relations = Relations(self)
        self.queries: Queries = Queries(self)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def fresh(self, stem: str) -> str:
        self._numbers[stem] += 1
        return f"{stem}{self._numbers[stem]}"

    def one(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def weighted(self, options: dict[Callable[[], T], float]) -> T:
        drawn = self.rng.choices(list(options), weights=list(options.values()))[0]
        return drawn()

    def used(self, feature: str) -> None:
        self.features[feature] += 1
