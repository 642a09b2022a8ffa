"""From lineage and a mapping to a plan, with the mapping checked first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.mapping import Mapping as CatalogMapping
from connector.catalogs.atlas.mapping import load_mapping
from connector.catalogs.atlas.plan import Plan
from connector.catalogs.atlas.statements import Planner
from connector.catalogs.atlas.typedefs import TypeSystem
from connector.catalogs.atlas.validation import check_mapping, types_of_mapping
from connector.catalogs.catalog import Seen
from connector.common.located_yaml import Located
from connector.errors import ConfigurationError
from connector.lineage import Lineage


@dataclass(frozen=True, slots=True)
class CheckedMapping:
    """A mapping that fits the types in its files."""

    mapping: CatalogMapping
    located: Located

    def check_against(self, client: AtlasClient) -> None:
        """The same question to the server, whose types may be others than those in the files."""
        where = f"types of {client.url}"
        try:
            check_mapping(self.mapping, self.located, TypeSystem([client.typedefs()]), where_types=where)
        except ConfigurationError as error:
            raise ConfigurationError(f"{error}\nCreate the connector's own types with: typedefs apply") from None


def checked_mapping(name: str) -> CheckedMapping:
    """Read a mapping and hold it against its types; mistakes come with file and line."""
    mapping, located = load_mapping(name)
    check_mapping(mapping, located, types_of_mapping(mapping, located))
    return CheckedMapping(mapping, located)


def make_plan(
    lineages: Iterable[Lineage], mapping: CatalogMapping, source: str, seen: Mapping[str, Seen] | None = None
) -> Plan:
    """What the catalog should hold for these models together."""
    planner = Planner(mapping, source)
    for lineage in lineages:
        planner.add(lineage, seen=seen)
    return planner.plan()
