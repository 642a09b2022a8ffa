"""HTTP as catalogs need it: one pool of kept-alive connections, retries, and errors that say what to do.

Requests are sent again after anything that may pass (429, 5xx, a timeout, a dropped connection); callers send only what
may arrive twice. No message holds a header or a body, so that no credential can get into a log.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Collection, Mapping, Sequence, Set
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase

from connector.catalogs.settings import Backoff
from connector.errors import ConfigurationError, UnavailableError

_log = logging.getLogger("connector.catalogs")

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
_ABSENT = frozenset({408, 425, 429, 502, 503, 504})
"""What a server that cannot work at all answers. A 500 that stays may be the fault of what was sent."""


class RefusedError(UnavailableError):
    """The server is there and rejected what was sent."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"{status} {code}: {message}" if code else f"{status}: {message}")
        self.status = status
        self.code = code
        self.message = message


def encode(value: Any) -> bytes:
    """JSON as it goes over the line. Half of a surrogate pair, which UTF-8 cannot hold, becomes a question mark."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


class BearerToken(AuthBase):
    """A token in the Authorization header. As an `auth` object it is not overruled by a netrc file."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class HttpClient:
    """Talks JSON to one server, from any number of threads."""

    def __init__(
        self,
        url: str,
        *,
        name: str,
        auth: AuthBase | None = None,
        credentials: str = "the user name or the password",
        headers: Mapping[str, str] | None = None,
        ca_file: str | None = None,
        verify_tls: bool = True,
        backoff: Backoff | None = None,
        connect_timeout: float = 10.0,
        read_timeout: float = 120.0,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigurationError(f"The address of {name} must look like https://host:port.")
        if parts.username or parts.password:
            raise ConfigurationError(
                f"Remove the user name and password from the address of {name}; pass them through the environment."
            )
        self.url = url.rstrip("/")
        self.name = name
        self.backoff = backoff or Backoff()
        self._auth = auth
        self._credentials = credentials
        self._headers = dict(headers or {})
        self._timeout = (connect_timeout, read_timeout)
        self._verify: bool | str = (ca_file or True) if verify_tls else False
        self._local = threading.local()
        self._sessions: list[requests.Session] = []
        self._lock = threading.Lock()

    def __enter__(self) -> HttpClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            for session in self._sessions:
                session.close()
            self._sessions.clear()
        self._local = threading.local()

    def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | Sequence[tuple[str, str]] | None = None,
        data: bytes | None = None,
        content_type: str | None = None,
        attempts: int | None = None,
        passing: Set[int] = PASSING,
        none_for: Collection[int] = (),
        expects_json: bool = True,
    ) -> Any:
        """The JSON of the answer, None for an empty one, and for any other text where no JSON is expected.

        After an answer in `passing` the request is sent again. One in `none_for` is no error, and None as well.
        """
        attempts = attempts or self.backoff.attempts
        for failures in range(1, attempts + 1):
            last = failures == attempts
            try:
                response = self._session().request(
                    method,
                    self.url + path,
                    params=params,
                    data=data,
                    headers={"Content-Type": content_type} if content_type else None,
                    timeout=self._timeout,
                    allow_redirects=False,
                    verify=self._verify,
                )
            except requests.exceptions.SSLError as error:
                raise UnavailableError(
                    f"{self.name} at {self.url} presented a certificate that is not trusted: {_reason(error)}"
                ) from None
            except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError) as error:
                if last:
                    raise UnavailableError(f"{self.name} at {self.url} did not respond: {_reason(error)}") from None
                _log.debug("%s %s: %s, trying again", method, path, _reason(error))
                self.backoff.wait(failures)
                continue
            except requests.RequestException as error:
                raise UnavailableError(f"{self.name} at {self.url} could not be reached: {_reason(error)}") from None
            if response.status_code in passing and not last:
                _log.debug("%s %s: %d, trying again", method, path, response.status_code)
                self.backoff.wait(failures, _retry_after(response))
                continue
            return self._answer(response, none_for, expects_json=expects_json)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _answer(self, response: requests.Response, none_for: Collection[int], *, expects_json: bool) -> Any:
        status = response.status_code
        if status in none_for:
            return None
        if status == 401:
            raise UnavailableError(f"{self.name} at {self.url} rejected {self._credentials}{_said(response)}.")
        if 300 <= status < 400:
            elsewhere = urlsplit(response.headers.get("Location", ""))
            place = f"{elsewhere.scheme}://{elsewhere.netloc}" if elsewhere.netloc else "another address"
            raise UnavailableError(
                f"{self.name} at {self.url} redirects to {place}; use that address, or log in there."
            )
        if status in _ABSENT:
            raise UnavailableError(f"{self.name} at {self.url} returned {status} {HTTPStatus(status).phrase}.")
        try:
            answer = response.json() if response.content else None
        except ValueError:
            answer = None if status >= 400 or not expects_json else _not_json(self.name, self.url)
        if status >= 400:
            found = answer if isinstance(answer, dict) else {}
            message = found.get("errorMessage") or found.get("message") or response.reason or "no reason given"
            raise RefusedError(status, str(found.get("errorCode") or ""), str(message))
        return answer

    def _session(self) -> requests.Session:
        session: requests.Session | None = getattr(self._local, "session", None)
        if session is None:
            session = requests.Session()
            session.auth = self._auth
            session.headers.update({"Content-Type": "application/json", "Accept": "application/json"})
            session.headers.update(self._headers)
            adapter = HTTPAdapter(pool_connections=1, pool_maxsize=1)
            session.mount("http://", adapter)
            session.mount("https://", adapter)
            self._local.session = session
            with self._lock:
                self._sessions.append(session)
        return session


def _said(response: requests.Response) -> str:
    """The server's own reason, where it gives one."""
    try:
        answer = response.json()
    except ValueError:
        return ""
    reason = answer.get("errorMessage") or answer.get("message") if isinstance(answer, dict) else None
    return f": {str(reason).rstrip('.')}" if reason else ""


def _not_json(name: str, url: str) -> Any:
    raise UnavailableError(f"The server at {url} is not {name}: its response is not JSON.")


def _retry_after(response: requests.Response) -> float | None:
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdigit() else None


def _reason(error: BaseException) -> str:
    """The innermost cause in a few words; the layers around it repeat it with addresses of objects."""
    if isinstance(error, requests.Timeout):
        return "the request timed out"
    cause: BaseException = error
    while True:
        inner = (
            cause.__cause__ or cause.__context__ or next((a for a in cause.args if isinstance(a, BaseException)), None)
        )
        reason = getattr(cause, "reason", None)
        inner = reason if isinstance(reason, BaseException) else inner
        if inner is None or inner is cause:
            break
        cause = inner
    text = getattr(cause, "strerror", None) or str(cause) or cause.__class__.__name__
    return str(text).rstrip(".")
