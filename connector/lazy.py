"""Names that a package offers, loaded from its modules when they are first asked for.

A process that needs one small module of a package should not have to load all of it: Spark starts many, and each of them
would spend more time on imports than on its work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names stand in these modules of it."""
    places = {name: f"{package}.{module}" for module, names in modules.items() for name in names}

    def __getattr__(name: str) -> Any:  # noqa: N807 - it becomes that of the package
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(places[name]), name)

    return __getattr__
