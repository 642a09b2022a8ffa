"""Functions that run a query of the same server which they are given as a text: crosstab, query_to_xml and others."""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from connector.analysis.foreign import ForeignReader
from connector.analysis.rowset import Rowset
from connector.analysis.table_functions import function_call
from connector.model import Column

_CROSSTAB = re.compile(r"crosstab(\d*)\Z", re.I)
"""The name says how many categories the result has; without a number its alias does."""


class TextFunctions:
    """Reads the texts into the model of the query around them."""

    __slots__ = ("_foreign", "ctx")

    def __init__(self, foreign: ForeignReader) -> None:
        self._foreign = foreign
        self.ctx = foreign.ctx

    def values(self, node: Any) -> list[Column]:
        """What goes into the value of a function outside of FROM: all columns of its queries, and their rows."""
        rows = self.ctx.builder.rows
        texts = self._texts(node)
        if not texts:
            self._foreign.not_constant(node.name, node)
        return [column for text in texts for column in (*_columns(text), rows(text.entity))]

    def rows(self, node: Any) -> Rowset | None:
        """The rows that a function in FROM makes of those of its queries; None for a function without any."""
        _, call = function_call(node)
        texts = self._texts(call) if call.__class__ is exp.Anonymous else []
        if not texts:
            return None
        builder, key_of = self.ctx.builder, self.ctx.names.key_of
        found = Rowset(builder.resultset("function", self.ctx.names.span(call)))
        read = [column for text in texts for column in _columns(text)]
        rows = builder.rows(found.entity)
        builder.relate("fdr", rows, read, "function", "unnest")
        builder.relate("fdr", rows, [builder.rows(text.entity) for text in texts], "function")
        alias = node.args.get("alias")
        count = len(alias.args.get("columns") or ()) if alias.__class__ is exp.TableAlias else 0
        crosstab = _CROSSTAB.match(call.name)
        if crosstab and crosstab[1]:
            count = 1 + int(crosstab[1])
        keys = _columns(texts[0])[:-2] if crosstab else []
        for place in range(count):
            name = f"category_{place}" if place else "row_name"
            column = builder.column(found.entity, key_of(name), name, None)
            found.outputs.append((key_of(name), column))
            if place < len(keys):
                builder.relate("fdd", column, [keys[place]], "function")
            elif keys:
                # A row for each name, and in it the value of each category.
                category, value = _columns(texts[0])[-2:]
                builder.relate("fdd", column, [value], "function")
                builder.relate("fdr", column, [category, *read[len(keys) + 2 :]], "function", "groupBy")
            else:
                builder.relate("fdd", column, read, "function")
        if not count:
            found.feeds = read
        builder.finish(found.entity, builder.reach)
        return found

    def _texts(self, call: Any) -> list[Rowset]:
        given = [
            item.args["this"] if item.__class__ is exp.Cast else item for item in call.args.get("expressions") or ()
        ]
        return [rows for rows in (self._foreign.own_rows(item, call) for item in given) if rows is not None]


def _columns(rows: Rowset) -> list[Column]:
    return [column for _, column in rows.outputs]
