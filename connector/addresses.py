"""Addresses as they may be shown: without user names, passwords and tokens.

Whatever is printed, logged, stored or sent goes through here: `safe_url` for an address by itself, `safe_text` for a message
that may hold some. Every exception of this package does it with its own text.
"""

from __future__ import annotations

import re

_LOGIN = re.compile(r"//.*@", re.S)
"""Up to the last @: a password may hold a slash, another @, or anything else that is not properly escaped."""
_ORACLE_LOGIN = re.compile(r"(?<=:thin:)[^@\s]*(?=@)")
_SECRET = re.compile(
    r"([?&;](?:password|pwd|passwd|token|secret|private_key\w*|access_?key\w*|sig|api_?key)=)[^&;\s'\"]*", re.I
)
_LOGIN_IN_TEXT = re.compile(r"(?<=://)(?:[^\s/?#@]*@|[^\s/:@]*:\S*@)")
"""Of an address inside a message: what stands before the @ of its host, or a user name and whatever follows its colon. An @
further behind belongs to a path."""


def safe_url(url: str) -> str:
    """The address without user name, password or token."""
    return _SECRET.sub(r"\1***", _ORACLE_LOGIN.sub("", _LOGIN.sub("//", url)))


def safe_text(text: str) -> str:
    """The text, with the addresses in it as `safe_url` shows them."""
    if "://" not in text and ":thin:" not in text and "=" not in text:
        return text
    return _SECRET.sub(r"\1***", _ORACLE_LOGIN.sub("", _LOGIN_IN_TEXT.sub("", text)))
