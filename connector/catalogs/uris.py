"""URIs taken apart for templates."""

from __future__ import annotations

import re

__all__ = ["uri_fields"]

_URI = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*)://(?P<bucket>[^/]*)(?P<path>/.*)?", re.S)


def uri_fields(uri: str, scheme: str | None) -> dict[str, str | None]:
    """Scheme, bucket (or host), the path without its last slash, and its last part as name.

    `scheme` is what the analysis knows where the text itself has none.
    """
    match = _URI.fullmatch(uri)
    if match is None:
        path = uri.rstrip("/") or uri
        return {"scheme": scheme or "file", "bucket": None, "path": path, "name": path.rsplit("/", 1)[-1] or path}
    path = (match["path"] or "").rstrip("/")
    return {
        "scheme": match["scheme"].lower(),
        "bucket": match["bucket"] or None,
        "path": path,
        "name": path.rsplit("/", 1)[-1] or match["bucket"] or uri,
    }
