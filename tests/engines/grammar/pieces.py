"""The tree of a drawn statement: text with the structure that shrinking needs.

A statement that fails is made smaller by dropping entries of lists and optional parts, and by putting a part in the place
of a larger one of the same kind. Whether the result still makes sense is for the engine to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

Part: TypeAlias = "Piece | str"

LEAVES = {"int": "1", "str": "'a'", "bool": "TRUE", "date": "DATE '2024-01-02'", "ints": "[1, 2]"}
"""What stands in for a whole expression of a kind."""


@dataclass(frozen=True)
class Piece:
    """A part of a statement; `kind` says what it may be swapped for."""

    kind: str
    parts: tuple[Part, ...]
    separator: str = ""

    def __str__(self) -> str:
        return self.separator.join(map(str, self.parts))


NOTHING = Piece("nothing", ())


def piece(kind: str, *parts: Part) -> Piece:
    return Piece(kind, parts)


def maybe(*parts: Part) -> Piece:
    """A part that can be left out."""
    return Piece("maybe", parts)


def listed(items: Iterable[Part], separator: str = ", ") -> Piece:
    """Entries of which all but one can be left out."""
    return Piece("list", tuple(items), separator)


def smaller(tree: Piece) -> Iterator[Piece]:
    """Trees with one simplification each, the bold ones first."""
    for path, node in sorted(_walk(tree), key=lambda found: -len(str(found[1]))):
        for replacement in _replacements(node):
            if len(str(replacement)) < len(str(node)):
                yield _replaced(tree, path, replacement)


def shrink(tree: Piece, fails: Callable[[str], bool], budget: int = 400) -> Piece:
    """The smallest tree found that still fails; `budget` bounds the attempts."""
    tried = {str(tree)}
    shrinking = True
    while shrinking:
        shrinking = False
        for candidate in smaller(tree):
            text = str(candidate)
            if text in tried:
                continue
            tried.add(text)
            if len(tried) > budget:
                return tree
            if fails(text):
                tree, shrinking = candidate, True
                break
    return tree


def _walk(node: Piece, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Piece]]:
    yield path, node
    for place, part in enumerate(node.parts):
        if isinstance(part, Piece):
            yield from _walk(part, (*path, place))


def _replacements(node: Piece) -> Iterator[Piece]:
    if node.kind == "maybe":
        yield NOTHING
    if node.kind == "list" and len(node.parts) > 1:
        half = len(node.parts) // 2
        if half > 1:
            yield Piece("list", node.parts[:half], node.separator)
            yield Piece("list", node.parts[half:], node.separator)
        for place in range(len(node.parts)):
            yield Piece("list", node.parts[:place] + node.parts[place + 1 :], node.separator)
    if node.kind not in ("maybe", "list", "text"):
        for _, inner in _walk(node):
            if inner is not node and inner.kind == node.kind:
                yield inner
    if node.kind in LEAVES:
        yield Piece(node.kind, (LEAVES[node.kind],))


def _replaced(node: Piece, path: tuple[int, ...], replacement: Piece) -> Piece:
    if not path:
        return replacement
    place, *rest = path
    inner = node.parts[place]
    assert isinstance(inner, Piece)
    parts = (*node.parts[:place], _replaced(inner, tuple(rest), replacement), *node.parts[place + 1 :])
    return Piece(node.kind, parts, node.separator)
