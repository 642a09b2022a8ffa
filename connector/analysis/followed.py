"""Functions in FROM that can be followed to what they read: routines of the same input, and queries of other servers."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.foreign import ForeignReader
from connector.analysis.methods import is_method
from connector.analysis.routines.results import Results
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.table_functions import function_call

__all__ = ["FollowedCalls"]


class FollowedCalls:
    """Knows the rows of functions, as far as somebody defined them."""

    __slots__ = ("_foreign", "_results")

    def __init__(self, foreign: ForeignReader, results: Results) -> None:
        self._foreign = foreign
        self._results = results

    def rows(self, node: Any, scope: Scope) -> Rowset | None:
        """The rows of the function; None where nobody knows them yet."""
        path, call = self._path(node)
        if path and path[-1] in self._results.registry:
            found = self._results.rows_of(path, call.args.get("expressions") or [], scope)
            if found is not None:
                return found
        return self._foreign.rows(node)

    def missed(self, node: Any, found: Rowset) -> None:
        """The function has been read without knowing it: should it be defined later, its rows are known then."""
        path, call = self._path(node)
        if path:
            self._results.join_later(path, len(call.args.get("expressions") or ()), found)

    @staticmethod
    def _path(node: Any) -> tuple[tuple[str, ...], Any]:
        qualifiers, call = function_call(node)
        if call.__class__ is not exp.Anonymous or (qualifiers and is_method(call.name)):
            return (), call
        parts = [*(part.name for part in qualifiers), str(call.args["this"])]
        return tuple(part.lower() for part in parts if part), call
