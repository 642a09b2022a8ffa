"""Analysing what a client sends: for the page, and as a file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from connector import request as request_module
from connector.export import FORMATS
from connector.options import Options
from connector.web.analysing import Analyser
from connector.web.answers import AnalysisRequest, ExportRequest, PageDocument
from connector.web.formats import file_kind
from connector.web.refusal import Refusal
from connector.web.work import Job

__all__ = ["analysis_routes", "unless_gone"]


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
            raise Refusal(422, "invalid", f"The format {format} has no level {asked.level}; it has {offered}.")
        content = await unless_gone(request, analyser().run(_job(asked, format)))
        kind = file_kind(format)
        name = f'attachment; filename="lineage.{kind.extension}"'
        return Response(content, media_type=kind.media_type, headers={"Content-Disposition": name})

    return router


async def unless_gone(request: Request, work: Coroutine[Any, Any, bytes]) -> bytes:
    """The result of the work, which is given up when nobody waits for it any more.

    A page asks again with every few letters that are typed. What has been overtaken must not stand in the queue.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refusal(499, "busy", "The client has gone away.")
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
