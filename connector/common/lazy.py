"""Lazy imports for packages, and what the modules of a package declare.

A process that needs one small module of a package should not have to load all of it: Spark starts many, and each of them
would spend more time on imports than on its work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def lazy_names(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names stand in these modules of it."""
    places = {name: f"{package}.{module}" for module, names in modules.items() for name in names}

    def __getattr__(name: str) -> Any:  # noqa: N807 - it becomes that of the package
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(places[name]), name)

    return __getattr__


def declared(package: str, path: Iterable[str], name: str) -> dict[Any, Any]:
    """What the modules of a package declare under a name, put together; no two of them may declare the same key."""
    found: dict[Any, Any] = {}
    for each in sorted(iter_modules(path), key=lambda each: each.name):
        for key, value in getattr(import_module(f"{package}.{each.name}"), name, {}).items():
            if key in found:
                raise TypeError(f"{package}: {name} has {key!r} twice, the second time in {each.name}.py")
            found[key] = value
    return found
