"""The hash that identifies texts in exports, in the store, in the tables and in catalogs."""

from __future__ import annotations

from hashlib import md5


def text_hash(text: str) -> str:
    """MD5 of a text in UTF-8, in lower-case hexadecimal digits."""
    return md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
