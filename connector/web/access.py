"""Authentication by token: as `Authorization: Bearer`, or by a login form that sets a cookie."""

from __future__ import annotations

import hmac
import time
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from typing import Final
from urllib.parse import parse_qs, quote, urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from connector.web.layers import Clients, RateLimit, read_body
from connector.web.refusal import Refusal, refusal_response

SESSION_SECONDS = 12 * 3600


class Token:
    """The token, compared in constant time, and the session that stands for it in a browser.

    A session is a signed date: a stolen cookie is worthless once the date has passed or the token was changed, and the
    server has nothing to remember.
    """

    def __init__(self, token: str, clock: Callable[[], float] = time.time) -> None:
        self._token = token.encode()
        self._clock = clock

    def matches(self, given: str) -> bool:
        """Whether it is the token. Digests are compared, so that not even its length shows."""
        return hmac.compare_digest(sha256(given.encode("utf-8", "replace")).digest(), sha256(self._token).digest())

    def new_session(self) -> str:
        until = str(int(self._clock()) + SESSION_SECONDS)
        return f"{until}.{self._sign(until)}"

    def accepts_session(self, session: str) -> bool:
        until, _, signature = session.partition(".")
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), self._sign(until).encode()):
            return False
        return int(until) > self._clock()

    def _sign(self, until: str) -> str:
        return hmac.new(self._token, b"session until " + until.encode("utf-8", "replace"), sha256).hexdigest()


COOKIE: Final = "lineage_session"
_OPEN_PATHS = frozenset({"/healthz"})
_TRIES_PER_MINUTE = 20
_FORM_BYTES = 10_000
_FORM_SECONDS = 10.0
_LONGEST_VIEW = 4000
_FRAGMENT = "!$%&'()*+,-./:;=?@_~"
"""What may stand in a fragment as it is."""
_WRONG = "The token is not valid."
_SLOW = "Too many wrong tokens; try again in a minute."
_LOGIN_POLICY = (
    "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)


class Access:
    """An ASGI layer between the world and a server that has a token."""

    def __init__(self, app: ASGIApp, token: Token, clients: Clients) -> None:
        self._app = app
        self._token = token
        self._clients = clients
        self._tries = RateLimit(_TRIES_PER_MINUTE, _TRIES_PER_MINUTE)
        self._form = _LoginForm()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        answer = await self._decide(request)
        await (answer or self._app)(scope, receive, send)

    async def _decide(self, request: Request) -> Response | None:
        """The answer to give instead of the server's, if there is one."""
        path = request.url.path
        if path in _OPEN_PATHS:
            return None
        if path == "/login":
            return await self._log_in(request)
        if path == "/logout" and request.method == "POST":
            answer = RedirectResponse("login", 303)
            answer.delete_cookie(COOKIE)
            return answer
        if path == "/" and "token" in request.query_params:
            return self._leave_token_behind(request)
        if self._token.accepts_session(request.cookies.get(COOKIE, "")):
            return None
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and given:
            return self._refused(request, given.strip())
        if path == "/" and request.method in ("GET", "HEAD"):
            return RedirectResponse("login", 303)
        return refusal_response(
            Refusal(401, "unauthorized", "This server requires a token; log in, or send it as a Bearer token.")
        )

    async def _log_in(self, request: Request) -> Response:
        if request.method in ("GET", "HEAD"):
            return self._form.shown()
        if request.method != "POST":
            return refusal_response(Refusal(405, "invalid", "Log in with a POST request."))
        try:
            body = await read_body(request.scope, request.receive, _FORM_BYTES, _FORM_SECONDS)
        except Refusal as refusal:
            return refusal_response(refusal)
        fields = parse_qs((body or b"").decode("utf-8", "replace"))
        refused = self._refused(request, fields.get("token", [""])[0].strip())
        if refused is None:
            return self._welcome(request, "./" + _fragment(fields.get("view", [""])[0]))
        return self._form.shown(refused.status_code, dict(refused.headers))

    def _leave_token_behind(self, request: Request) -> Response:
        """A link with the token in it works, but does not stay in the address: the token becomes a session."""
        refused = self._refused(request, request.query_params["token"])
        if refused is not None:
            return refused
        rest = QueryParams([(name, value) for name, value in request.query_params.multi_items() if name != "token"])
        return self._welcome(request, "./" + (f"?{urlencode(rest.multi_items())}" if rest else ""))

    def _refused(self, request: Request, given: str) -> Response | None:
        """None if it is the token. The right one is accepted whatever others at the same address have tried: tokens are
        too long to be guessed, and no client must be able to lock others out."""
        if self._token.matches(given):
            return None
        wait = self._tries.take(self._clients.address(request.scope))
        if wait:
            return refusal_response(Refusal(429, "rate", "Too many wrong tokens; try again later.", retry_after=wait))
        return refusal_response(Refusal(401, "unauthorized", _WRONG))

    def _welcome(self, request: Request, where: str) -> Response:
        answer = RedirectResponse(where, 303)
        answer.set_cookie(
            COOKIE,
            self._token.new_session(),
            max_age=SESSION_SECONDS,
            httponly=True,
            samesite="lax",  # a link from elsewhere may open the page; nothing else of another site brings it along
            secure="https" in (request.url.scheme, request.headers.get("x-forwarded-proto")),
        )
        return answer


def _fragment(view: str) -> str:
    """The view that was asked for, as the end of an address; never anything else of one."""
    return f"#{quote(view[:_LONGEST_VIEW], safe=_FRAGMENT)}" if view else ""


def _hash_of(page: str, tag: str) -> str:
    content = page.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
    return b64encode(sha256(content.encode()).digest()).decode()


class _LoginForm:
    """The form. Its only script passes on the part of the address that browsers do not send: which view was asked for."""

    def __init__(self) -> None:
        page = files("connector.web").joinpath("login.html").read_text(encoding="utf-8")
        self._html = page
        self._policy = _LOGIN_POLICY.format(style=_hash_of(page, "style"), script=_hash_of(page, "script"))

    def shown(self, status: int = 200, more: dict[str, str] | None = None) -> Response:
        said = "" if status == 200 else _WRONG if status == 401 else _SLOW
        headers = {name: value for name, value in (more or {}).items() if name == "retry-after"}
        # Without a referrer the browser would not say either that the form is sent from here.
        headers |= {"Content-Security-Policy": self._policy, "Referrer-Policy": "same-origin"}
        return HTMLResponse(self._html.replace("{{message}}", said), status, headers)
