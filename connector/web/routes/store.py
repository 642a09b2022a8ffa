"""Looking around in the store."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from connector.store import Store
from connector.store.reading.graph import Way
from connector.store.reading.records import GraphEdge
from connector.store.reading.texts import Texts
from connector.web.answers import ImpactAnswer, ObjectAnswer, ObjectList, PageDocument, StatementAnswer
from connector.web.pictures import graph_document, overview_document
from connector.web.records import impact_answer, object_answer, object_list, statement_answer
from connector.web.refusal import Refusal

__all__ = ["store_routes"]

_TEXTS = 500
"""Statements whose texts and expressions go along with a picture; those of more are asked for one by one."""

Name = Annotated[str, Query(min_length=1, max_length=2000, description="A number, a name, or the end of a name.")]


def store_routes(reader: Store | None, texts: Texts) -> APIRouter:
    """Functions that are not `async` run in threads: the database may take its time."""
    router = APIRouter(prefix="/api", tags=["store"])

    def store() -> Store:
        if reader is None:
            raise Refusal(404, "no_store", "This server has no store; start it with --store to look around in one.")
        return reader

    @router.get("/objects", operation_id="objects")
    def find_objects(
        search: Annotated[str, Query(max_length=300, description="Parts of a name, in any order.")] = "",
        kind: Annotated[str, Query(max_length=40, description="Only objects of this kind, or `column`.")] = "",
        page: Annotated[int, Query(ge=1, le=100_000, description="Which page, from 1.")] = 1,
        page_size: Annotated[int, Query(alias="pageSize", ge=1, le=500, description="Objects on a page.")] = 50,
    ) -> ObjectList:
        """Tables, views, paths and stages whose names are like `search`, best first; with kind `column`, columns."""
        found = store().search(search, kind or None, page=page, size=page_size)
        return object_list(found, page, page_size)

    @router.get("/objects/{reference:path}", operation_id="object")
    def describe_object(
        reference: Annotated[str, Path(max_length=2000, description="A number, a name, or the end of a name.")],
    ) -> ObjectAnswer:
        """Columns, definition and neighbours of an object, the statements that write and read it, who ran them and when."""
        return object_answer(store().object(reference), texts)

    @router.get("/processes/{reference}", operation_id="process")
    def describe_statement(
        reference: Annotated[str, Path(max_length=100, description="A hash, or the number of a statement.")],
    ) -> StatementAnswer:
        """A statement by its hash: its text, what it reads and writes, who ran it and when."""
        return statement_answer(store().statement(reference), texts)

    @router.get(
        "/lineage/{way}", operation_id="lineage", responses={200: {"model": PageDocument}}, response_class=Response
    )
    def follow_lineage(
        way: Annotated[Way, Path(description="Which direction to follow.")],
        name: Name,
        depth: Annotated[
            int | None, Query(ge=1, le=1000, description="How many steps to follow; all if left out.")
        ] = None,
        columns: Annotated[bool, Query(description="Follow columns as well as tables.")] = False,
    ) -> Response:
        """What feeds an object or column, what it feeds, or both, as the page draws it."""
        graph = store().graph(name, way, depth=depth, columns=columns)
        found = store().texts(set(graph.statements)) if len(graph.statements) <= _TEXTS else {}

        def expression(edge: GraphEdge) -> str | None:
            return texts.shown(edge.expression, found[edge.process][1]) if edge.process in found else None

        return _json(graph_document(graph, {key: texts.shown(*each) for key, each in found.items()}, expression))

    @router.get("/impact", operation_id="impact")
    def assess_impact(name: Name) -> ImpactAnswer:
        """What a change of an object or column touches, nearest first, with the statements and who runs them."""
        return impact_answer(store().impact(name))

    @router.get("/overview", operation_id="overview", responses={200: {"model": PageDocument}}, response_class=Response)
    def show_overview(
        most: Annotated[int, Query(ge=1, le=20_000, description="Objects to show at most.")] = 5000,
    ) -> Response:
        """The whole store, table by table, as the page draws it."""
        return _json(overview_document(store().overview(most=most), "All tables"))

    return router


def _json(document: dict[str, Any]) -> Response:
    content = json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    return Response(content, media_type="application/json")
