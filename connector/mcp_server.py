"""The store's answers for assistants, through the Model Context Protocol.

Every tool reads, and none writes. Text of statements is shown without its literals: what an assistant is told leaves the
machine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Literal, ParamSpec, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from connector import __version__
from connector.errors import ConnectorError
from connector.store import Store
from connector.store.reading.details import Texts
from connector.store.reading.records import Graph, GraphEdge, StoredStatement

_P = ParamSpec("_P")
_T = TypeVar("_T")

Name = Annotated[
    str,
    Field(description="A table, view, path, stage or column: schema.table, schema.table.column, or the end of a name."),
]
Depth = Annotated[int | None, Field(ge=1, description="How many steps to follow; all of them when not given.")]

_INSTRUCTIONS = """\
SQL lineage of a data warehouse. Find the exact name of a table or column with `search`, then follow it: `upstream` is what
it is made from, `downstream` what it feeds, `impact` what a change to it affects and who runs those statements, and
`how_column_is_made` the expressions that compute it. Direct edges carry data; indirect ones only influence it (filters,
joins, grouping). Literals in SQL are shown as `?`.
"""
_MOST_EDGES = 500


def lineage_server(reader: Store) -> MCPServer[Any]:
    """A server with the store's questions as tools."""
    server: MCPServer[Any] = MCPServer("lineage-connector", instructions=_INSTRUCTIONS, version=__version__)
    answers = _Answers(reader)
    read_only = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)
    for tool in (
        answers.search,
        answers.upstream,
        answers.downstream,
        answers.impact,
        answers.how_column_is_made,
    ):
        server.tool(annotations=read_only)(_explained(tool))
    return server


def _explained(tool: Callable[_P, _T]) -> Callable[_P, _T]:
    """Report an unknown name or an unavailable store to the assistant instead of failing."""

    @wraps(tool)
    def answer(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return tool(*args, **kwargs)
        except ConnectorError as error:
            raise ToolError(str(error)) from error

    return answer


class _Answers:
    """The tools. Their docstrings are what an assistant reads."""

    def __init__(self, reader: Store) -> None:
        self._reader = reader
        self._texts = Texts(show_literals=False)

    def search(
        self,
        text: Annotated[str, Field(description="Part of a name.")],
        kind: Annotated[
            Literal["table", "view", "path", "stage", "column"] | None, Field(description="Only objects of this kind.")
        ] = None,
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
    ) -> dict[str, Any]:
        """Find tables, views, paths, stages or columns by a part of their name, best matches first."""
        found = self._reader.search(text, kind, size=limit)
        return {
            "total": found.total,
            "objects": [
                {
                    "name": hit.object.qualified_name,
                    "kind": hit.object.kind,
                    "columns": hit.columns,
                    "upstream": hit.upstream,
                    "downstream": hit.downstream,
                }
                for hit in found.hits
            ],
            "columns": [hit.column.qualified_name for hit in found.columns],
        }

    def upstream(self, name: Name, depth: Depth = None) -> dict[str, Any]:
        """Show what a table or column is made from, directly and indirectly."""
        return self._graph(self._reader.graph(name, "upstream", depth=depth, columns=False))

    def downstream(self, name: Name, depth: Depth = None) -> dict[str, Any]:
        """Show what a table or column feeds, directly and indirectly."""
        return self._graph(self._reader.graph(name, "downstream", depth=depth, columns=False))

    def impact(self, name: Name) -> dict[str, Any]:
        """Show what a change of a table or column touches, nearest first, by which statements, and who runs them."""
        found = self._reader.impact(name)
        return {
            "start": (found.start_column or found.start).qualified_name,
            "touches": [
                {
                    "name": each.object.qualified_name,
                    "kind": each.object.kind,
                    "relation": each.relation,
                    "distance": each.distance,
                    "columns": [column.column.name for column in each.columns if not column.column.is_rows],
                    "statements": [_statement(statement) for statement in each.statements],
                    "run_by": each.owners,
                }
                for each in found.objects[:_MOST_EDGES]
            ],
            "truncated": found.truncated or len(found.objects) > _MOST_EDGES,
        }

    def how_column_is_made(self, name: Name) -> dict[str, Any]:
        """Show the expressions and the statements that compute a column, and which columns they read."""
        graph = self._reader.graph(name, "upstream", depth=1)
        if graph.start_column is None:
            raise ToolError(f"{graph.start.qualified_name} is a {graph.start.kind}; name one of its columns.")
        texts = self._reader.texts(set(graph.statements))
        edges = [edge for edge in graph.column_edges if edge.target == graph.start_column.number]
        statements: dict[int, dict[str, Any]] = {}
        for edge in edges:
            if edge.process in graph.statements and edge.process not in statements:
                shown = self._texts.shown(*texts[edge.process]) if edge.process in texts else None
                statements[edge.process] = {**_statement(graph.statements[edge.process]), "text": shown}
        return {
            "column": graph.start_column.qualified_name,
            "made_from": [self._column_edge(graph, edge, texts) for edge in edges],
            "statements": list(statements.values()),
        }

    def _graph(self, graph: Graph) -> dict[str, Any]:
        if graph.start_column is None:
            edges = [
                {
                    "source": graph.objects[edge.source].qualified_name,
                    "target": graph.objects[edge.target].qualified_name,
                    "relation": _relation(edge),
                }
                for edge in graph.table_edges
            ]
        else:
            texts = self._reader.texts(set(graph.statements))
            edges = [
                self._column_edge(graph, edge, texts) for edge in graph.column_edges if edge.type in ("fdd", "fdr")
            ]
        return {
            "start": (graph.start_column or graph.start).qualified_name,
            "edges": edges[:_MOST_EDGES],
            "truncated": graph.truncated or len(edges) > _MOST_EDGES,
        }

    def _column_edge(self, graph: Graph, edge: GraphEdge, texts: dict[int, tuple[str, str]]) -> dict[str, Any]:
        expression = self._texts.shown(edge.expression, texts[edge.process][1]) if edge.process in texts else None
        return {
            "source": graph.columns[edge.source].qualified_name,
            "target": graph.columns[edge.target].qualified_name,
            "relation": _relation(edge),
            "transformation": edge.transformation,
            "expression": expression,
        }


def _relation(edge: GraphEdge) -> str:
    return "direct" if edge.type == "fdd" else "indirect" if edge.type == "fdr" else edge.type


def _statement(statement: StoredStatement) -> dict[str, Any]:
    return {
        "type": statement.type,
        "query_hash_id": statement.hash,
        "procedure": statement.procedure,
        "file": statement.origin,
        "users": list(statement.users),
        "last_seen": statement.last_seen.isoformat() if statement.last_seen is not None else None,
    }
