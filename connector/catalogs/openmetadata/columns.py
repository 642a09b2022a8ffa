"""The columns of the tables that OpenMetadata knows, as metadata for the analysis.

With them a ``*`` is expanded and a column without a qualifier finds its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from connector.catalogs.openmetadata.client import OpenMetadataClient
from connector.catalogs.openmetadata.fqn import build, decode_name, split
from connector.catalogs.openmetadata.mapping import Mapping
from connector.naming import join_name

__all__ = ["known_columns", "services_of"]


def services_of(mapping: Mapping, service: str | None) -> list[str]:
    """The database services that a mapping names, and the run's own."""
    named = [rule.service.text for rule in mapping.services if rule.service is not None and not rule.service.fields]
    return list(dict.fromkeys([*([service] if service else []), *named]))


def known_columns(client: OpenMetadataClient, services: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Tables as ``database.schema.table``, each with the names of its columns."""
    for service in services:
        for database in client.listed("database", service=build((service,))):
            for page, _ in client.pages("table", database=str(database["fullyQualifiedName"])):
                for table in page:
                    parts = [decode_name(part) for part in split(str(table["fullyQualifiedName"]))[1:]]
                    columns = [decode_name(str(column["name"])) for column in table.get("columns") or ()]
                    if columns:
                        yield join_name(parts), columns
