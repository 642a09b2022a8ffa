"""What a connection to another server is called."""

from __future__ import annotations

from typing import Any

__all__ = ["connection_name", "connection_of"]

_PROPERTIES = ("server", "data source", "addr", "address", "network address", "host")
_DATABASES = ("database", "initial catalog", "dbname")


def connection_of(node: Any) -> str:
    """What ``OPENDATASOURCE('provider', 'connection string')`` stands for in the name of a table."""
    arguments = node.args.get("expressions") or []
    return connection_name(arguments[-1]) if arguments else str(node.name)


def connection_name(node: Any) -> str:
    """What a connection is called: its name, or of a connection string the server and the database, never a password."""
    text = str(node.name)
    if "=" not in text:
        return text
    separator = None if ";" not in text and text.count("=") > 1 else ";"
    properties = {
        name.strip().lower(): value.strip().strip("'\"")
        for name, _, value in (part.partition("=") for part in text.split(separator))
    }
    server = next((properties[name] for name in _PROPERTIES if name in properties), "")
    database = next((properties[name] for name in _DATABASES if name in properties), "")
    return ".".join(part for part in (server, database) if part) or "connection"
