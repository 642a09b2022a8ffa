"""The page itself, and what it wants to know first."""

from __future__ import annotations

from dataclasses import fields

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from connector import __version__
from connector.export.page import server_page
from connector.options import Options
from connector.sql.dialects import supported_dialects
from connector.web.answers import Info, LimitsInfo
from connector.web.formats import offered_formats
from connector.web.settings import ServeSettings

__all__ = ["page_routes"]


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
