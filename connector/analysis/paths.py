"""Branches, loops and handlers of a routine, as far as they decide which tables there are.

``IF … THEN DROP TABLE work; RETURN; END IF`` takes the table away from none of the statements that follow: they run where the
branch was not taken. So what a branch has dropped is there again where the branch ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token

from connector.analysis.rowset import Rowset

Key = tuple[str, ...]


@dataclass(slots=True)
class Path:
    """A branch, a loop or a handler while it is open, with the tables that it dropped."""

    before: int
    """The identity that was given last before it began: what has a lower one was there already."""
    condition: list[Token]
    dropped: dict[Key, tuple[Rowset, dict[str, str] | None]] = field(default_factory=dict)
    """The tables, with the columns that were known of them."""

    def keeps(self, key: Key, table: Rowset) -> bool:
        """Whether the table, which is dropped here, may still be there where the path ends.

        It cannot where the path has made it, or where the condition asks for the table itself
        (``IF OBJECT_ID('work') IS NOT NULL``): then it is dropped wherever there is one.
        """
        if table.entity.id > self.before or self._asks_for((table.entity.table or "").lower()):
            return False
        self.dropped.setdefault(key, (table, table.known))
        return True

    def _asks_for(self, name: str) -> bool:
        """Whether the condition names the table, as a name or in a text (``'tempdb..#work'``, ``'#work%'``)."""
        return any(name == _last_part(token.text) for token in self.condition)

    def bring_back(self, tables: dict[Key, Rowset]) -> bool:
        """The path ends: what it dropped is there again, unless another table has the name by now."""
        for key, (table, known) in self.dropped.items():
            if tables.setdefault(key, table) is table and table.known is None:
                table.known = known
        found = bool(self.dropped)
        self.dropped.clear()
        return found


def _last_part(text: str) -> str:
    return text.rpartition(".")[2].strip('[]"`').rstrip("%_").lower()
