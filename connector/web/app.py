"""The ASGI application: the paths, and the layers that every request passes on its way to them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp

from connector import __version__
from connector.errors import ConnectorError
from connector.store import QUERY_SECONDS, Store, TooSlowError
from connector.store.lookup import AmbiguousNameError, UnknownNameError
from connector.store.reading.details import Texts
from connector.web.access import Access, Token
from connector.web.analysing import Analyser
from connector.web.answers import Problem
from connector.web.endpoints import analysis_routes, page_routes, store_routes
from connector.web.layers import BodyLimit, Clients, RateGate, SafeAnswers, SameOrigin
from connector.web.reference import reference_page, reference_policy
from connector.web.refusal import Refusal, refusal_response
from connector.web.settings import ServeSettings

_log = logging.getLogger("connector")

_READERS = 10
"""Questions to the store at the same time; a PostgreSQL engine has fifteen connections, and others may want some."""

_DESCRIPTION = "SQL lineage: analyse scripts, and explore a store of earlier analyses."


def create_app(settings: ServeSettings) -> ASGIApp:
    """The server as an ASGI application. A store that is not there is an `UnavailableError` now, not later."""
    settings = settings.checked()
    reader = Store.open(settings.store, create=False, seconds=QUERY_SECONDS) if settings.store is not None else None
    backend = _Backend(settings, reader)
    api = FastAPI(
        title="lineage-connector",
        version=__version__,
        description=_DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,  # the viewers of FastAPI load their scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        lifespan=backend.lifespan,
        responses={
            status: {"model": Problem, "description": description}
            for status, description in {
                401: "The token is missing or wrong.",
                404: "There is nothing of that name, or no store.",
                409: "Several objects may be meant.",
                413: "The request is too large.",
                422: "The request cannot be understood, or its analysis was stopped.",
                429: "Too many requests.",
                503: "The server is busy, or the store does not respond.",
            }.items()
        },
    )
    api.include_router(page_routes(settings))
    api.include_router(analysis_routes(lambda: backend.analyser))
    api.include_router(store_routes(reader, Texts(show_literals=settings.show_literals)))

    @api.get("/api", include_in_schema=False)
    async def show_reference() -> Response:
        return HTMLResponse(reference_page(api.openapi()), headers={"Content-Security-Policy": reference_policy()})

    _answer_failures(api)

    clients = Clients(settings.proxies, behind_local_proxy=bool(settings.allowed_hosts))
    app: ASGIApp = BodyLimit(api, settings.max_bytes, settings.body_seconds)
    if settings.token is not None:
        app = Access(app, Token(settings.token), clients)
    app = RateGate(app, settings.rate, clients)
    app = SameOrigin(app, settings)
    return SafeAnswers(app)


class _Backend:
    """What lives as long as the server runs."""

    def __init__(self, settings: ServeSettings, reader: Store | None) -> None:
        self._settings = settings
        self._reader = reader
        self._analyser: Analyser | None = None

    @property
    def analyser(self) -> Analyser:
        if self._analyser is None:
            raise RuntimeError("The application has not been started.")
        return self._analyser

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = _READERS
        self._analyser = analyser = Analyser(self._settings)
        warming = asyncio.create_task(analyser.warm_up())
        try:
            yield
        finally:
            warming.cancel()
            await analyser.close()
            if self._reader is not None:
                self._reader.close()


def _answer_failures(api: FastAPI) -> None:
    """Each kind of failure has one answer; none of them shows more than one sentence."""

    @api.exception_handler(Refusal)
    async def refuse(_: Request, error: Refusal) -> Response:
        return refusal_response(error)

    @api.exception_handler(RequestValidationError)
    async def refuse_form(_: Request, error: RequestValidationError) -> Response:
        return refusal_response(Refusal(422, "invalid", _sentence(error.errors()[0])))

    @api.exception_handler(HTTPException)
    async def refuse_path(_: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            return refusal_response(Refusal(404, "not_found", "There is no such path."))
        if error.status_code == 405:
            return refusal_response(Refusal(405, "invalid", "This path does not support that method."))
        return refusal_response(Refusal(error.status_code, "invalid", "The request cannot be read."))

    @api.exception_handler(ConnectorError)
    async def refuse_question(_: Request, error: ConnectorError) -> Response:
        return refusal_response(_refusal(error))

    @api.exception_handler(Exception)
    async def fail(_: Request, error: Exception) -> Response:
        return refusal_response(Refusal(500, "internal", "The server could not answer this request."))


def _refusal(error: ConnectorError) -> Refusal:
    if isinstance(error, UnknownNameError):
        return Refusal(404, "not_found", str(error))
    if isinstance(error, AmbiguousNameError):
        return Refusal(409, "ambiguous", str(error), candidates=error.candidates)
    if isinstance(error, TooSlowError):
        return Refusal(503, "timeout", str(error), retry_after=5)
    _log.error("%s", error)  # it contains the address of the store, which only the operator may see
    return Refusal(503, "store", "The store cannot be read at the moment.", retry_after=5)


def _sentence(error: dict[str, Any]) -> str:
    """`options.impact: Input should be a valid boolean`; what was sent is not repeated."""
    place = ".".join([str(part) for part in error.get("loc", ())[1:]])
    return f"{place}: {error.get('msg', 'wrong')}" if place else str(error.get("msg", "The request cannot be read."))
