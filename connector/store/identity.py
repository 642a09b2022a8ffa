"""Decides whether two names denote the same object of the store.

A script may spell a table `Orders` today and `ORDERS` tomorrow. Within one analysis the rules of the dialect decide whether that
is the same table; the store applies the same rules across loads. The guid of an object is derived from its folded name, so the
same object has the same guid in every load and in every store. The first spelling is the one that is displayed.
"""

from __future__ import annotations

from hashlib import blake2b

from connector.errors import UnknownDialectError
from connector.model import Column, Entity, Model
from connector.naming import Namer, join_name, unquote
from connector.sql.dialects import Fold, get_dialect

_EIGHT_BYTES = blake2b(digest_size=8)


def number_of(*words: str) -> int:
    """A 63-bit number for a text: among ten million of them, the probability of a collision is one in 200,000."""
    digest = _EIGHT_BYTES.copy()  # cheaper than creating one from its parameters
    digest.update("\0".join(words).encode("utf-8", "surrogatepass"))
    return int.from_bytes(digest.digest(), "big") >> 1


def _keep(name: str, quoted: bool) -> str:
    return name


class Folder:
    """Folds the names of one model by the rules of its dialect."""

    __slots__ = ("_cluster", "_fold_column", "_fold_table", "_namer")

    def __init__(self, model: Model, namer: Namer) -> None:
        self._cluster = model.cluster
        self._namer = namer
        try:
            dialect = get_dialect(model.vendor)
        except UnknownDialectError:  # a document of another program; its names are used as they are
            self._fold_table: Fold = _keep
            self._fold_column: Fold = _keep
        else:
            self._fold_table, self._fold_column = dialect.fold_table, dialect.fold_column

    def entity(self, entity: Entity) -> str:
        parts = self._namer.parts(entity)
        if entity.kind == "path":
            return join_name(parts, self._cluster)
        written = entity.name
        return join_name([self._fold_table(part, _quoted(part, written)) for part in parts], self._cluster)

    def database(self, entity: Entity) -> str:
        """The folded name of the database an entity belongs to."""
        part = self._namer.parts(entity)[0]
        return join_name([self._fold_table(part, _quoted(part, entity.name))], self._cluster)

    def column(self, column: Column) -> str:
        written = column.public_name
        if written.isidentifier():
            return self._fold_column(written, False)
        bare = unquote(written)
        return self._fold_column(bare, bare != written)


def _quoted(part: str, written: str) -> bool:
    if '"' not in written and "`" not in written and "[" not in written:
        return False
    return f'"{part}"' in written or f"`{part}`" in written or f"[{part}]" in written
