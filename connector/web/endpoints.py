"""The endpoints of the server: the page and its settings, analyses, and the store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import fields
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import HTMLResponse, Response

from connector import __version__
from connector import request as request_module
from connector.export import FORMATS
from connector.export.page import server_page
from connector.options import Options
from connector.sql.dialects import supported_dialects
from connector.store import Store
from connector.store.reading.details import Texts
from connector.store.reading.graph import Way
from connector.web.analysing import Analyser
from connector.web.answers import (
    AnalysisRequest,
    ExportRequest,
    FormatInfo,
    ImpactAnswer,
    Info,
    LimitsInfo,
    ObjectAnswer,
    ObjectList,
    PageDocument,
    StatementAnswer,
)
from connector.web.records import (
    graph_document,
    impact_answer,
    object_answer,
    object_list,
    overview_document,
    statement_answer,
)
from connector.web.refusal import Refusal
from connector.web.settings import ServeSettings
from connector.web.work import Job


class FileKind(NamedTuple):
    media_type: str
    extension: str


_KINDS = {
    "csv": FileKind("text/csv", "csv"),
    "dot": FileKind("text/vnd.graphviz", "dot"),
    "graphml": FileKind("application/graphml+xml", "graphml"),
    "html": FileKind("text/html", "html"),
    "json": FileKind("application/json", "json"),
    "mermaid": FileKind("text/vnd.mermaid", "mmd"),
    "openlineage": FileKind("application/x-ndjson", "jsonl"),
    "xml": FileKind("application/xml", "xml"),
}


def file_kind(format: str) -> FileKind:
    """Unknown formats are plain text."""
    return _KINDS.get(format, FileKind("text/plain", "txt"))


def offered_formats() -> list[FormatInfo]:
    return [
        FormatInfo(name=name, levels=list(exporter.levels), media_type=kind.media_type, extension=kind.extension)
        for name, exporter in FORMATS.items()
        for kind in (file_kind(name),)
    ]


def page_routes(settings: ServeSettings) -> APIRouter:
    router = APIRouter()
    page = server_page()
    info = _info(settings)

    @router.get("/", include_in_schema=False)
    async def show_page() -> Response:
        return HTMLResponse(page.html, headers={"Content-Security-Policy": page.content_security_policy})

    @router.get("/healthz", include_in_schema=False)
    async def say_alive() -> dict[str, str]:
        return {"status": "ok"}

    @router.get("/favicon.ico", include_in_schema=False)
    async def no_icon() -> Response:
        return Response(status_code=204)

    @router.get("/api/info", tags=["server"], operation_id="info")
    async def describe_server() -> Info:
        """What this server can do, and how much of it."""
        return info

    return router


def _info(settings: ServeSettings) -> Info:
    return Info(
        version=__version__,
        dialects=supported_dialects(),
        formats=offered_formats(),
        limits=LimitsInfo(
            max_size=settings.max_bytes,
            seconds=settings.seconds,
            memory_mb=settings.memory_mb,
            per_minute=settings.rate,
        ),
        store=settings.store is not None,
        literals_shown=settings.show_literals,
        options={option.name: option.default for option in fields(Options) if option.name != "color"},
    )


Format = Annotated[str, Path(description="One of the formats that `GET /api/info` lists.")]


def analysis_routes(analyser: Callable[[], Analyser]) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["analysis"])

    @router.post("/analyze", operation_id="analyze", responses={200: {"model": PageDocument}}, response_class=Response)
    async def analyze_script(asked: AnalysisRequest, request: Request) -> Response:
        """The lineage of a script, as the page draws it: the complete model, both derived levels, and the problems."""
        content = await unless_gone(request, analyser().run(_job(asked)))
        return Response(content, media_type="application/json")

    @router.post(
        "/export/{format}",
        operation_id="export",
        responses={200: {"content": {"application/octet-stream": {}}, "description": "The file."}},
        response_class=Response,
    )
    async def export_script(format: Format, asked: ExportRequest, request: Request) -> Response:
        """The lineage of a script as a file in any of the formats."""
        exporter = FORMATS.get(format)
        if exporter is None:
            raise Refusal(404, "not_found", f"There is no such format; choose from {', '.join(FORMATS)}.")
        if asked.level is not None and asked.level not in exporter.levels:
            offered = ", ".join(exporter.levels)
            raise Refusal(
                422, "invalid", f"The format {format} does not support the level {asked.level}; choose {offered}."
            )
        content = await unless_gone(request, analyser().run(_job(asked, format)))
        kind = file_kind(format)
        name = f'attachment; filename="lineage.{kind.extension}"'
        return Response(content, media_type=kind.media_type, headers={"Content-Disposition": name})

    return router


async def unless_gone(request: Request, work: Coroutine[Any, Any, bytes]) -> bytes:
    """The result of the work, which is abandoned when the client disconnects.

    A page asks again with every few letters that are typed. What has been overtaken must not stand in the queue.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refusal(499, "busy", "The client closed the connection.")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _job(asked: AnalysisRequest, format: str | None = None) -> Job:
    request = request_module.AnalysisRequest(
        asked.dialect,
        default_database=asked.default_database or None,
        default_schema=asked.default_schema or None,
        cluster=asked.cluster or None,
        options=Options() if asked.options is None else Options(**asked.options.model_dump()),
    )
    return Job(asked.sql, request, asked.metadata, asked.title, format, asked.level)


_TEXTS = 500
"""Statements whose texts and expressions go along with a picture; those of more are asked for one by one."""

Name = Annotated[str, Query(min_length=1, max_length=2000, description="A number, a name, or the end of a name.")]


def store_routes(reader: Store | None, texts: Texts) -> APIRouter:
    """Functions that are not `async` run in threads: the database may take its time."""
    router = APIRouter(prefix="/api", tags=["store"])

    def store() -> Store:
        if reader is None:
            raise Refusal(404, "no_store", "This server has no store; start it with --store to query one.")
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
        return _json(graph_document(graph, found, texts))

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
