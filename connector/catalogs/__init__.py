"""Catalogs that lineage is written to: one package for each, and the registry of them.

A new catalog is a package with a subclass of :class:`~connector.catalogs.catalog.Catalog`, and one line here. Their libraries
are optional and slow to load, so a catalog is imported when it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from connector.common.extras import missing_package
from connector.errors import ConfigurationError

if TYPE_CHECKING:
    from connector.catalogs.catalog import Catalog, DeliverySettings

    AnyCatalog: TypeAlias = Catalog[Any, Any, Any]


_CATALOGS = {
    "atlas": "connector.catalogs.atlas.catalog:AtlasCatalog",
    "openmetadata": "connector.catalogs.openmetadata.catalog:OpenMetadataCatalog",
    "openlineage": "connector.catalogs.openlineage.catalog:OpenLineageCatalog",
}
"""Name, which is also the extra with its libraries, and class."""


def catalog_names() -> list[str]:
    return list(_CATALOGS)


def load_catalog(name: str) -> type[AnyCatalog]:
    """The class of a catalog. An error says what to install where its libraries are missing."""
    place = _CATALOGS.get(name)
    if place is None:
        raise ConfigurationError(f"There is no catalog {name!r}; choose from {', '.join(_CATALOGS)}.")
    module, _, class_name = place.partition(":")
    try:
        loaded: type[AnyCatalog] = getattr(import_module(module), class_name)
    except ModuleNotFoundError as error:
        raise missing_package(error, name) from None
    return loaded


def catalog_of(settings: DeliverySettings) -> AnyCatalog:
    """The catalog that an entry of a job's ``catalogs`` describes."""
    return load_catalog(settings.type)(settings)
