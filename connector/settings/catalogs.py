"""The catalogs of a job: the settings from each catalog's own package, distinguished by their type."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field

from connector.catalogs import catalog_names, load_catalog
from connector.catalogs.catalog import DeliverySettings
from connector.errors import ConfigurationError


def _load_models() -> tuple[dict[str, type[DeliverySettings]], dict[str, str]]:
    """The settings of the catalogs whose libraries are installed, and what to install for the others."""
    models: dict[str, type[DeliverySettings]] = {}
    missing: dict[str, str] = {}
    for name in catalog_names():
        try:
            models[name] = load_catalog(name).settings_class
        except ConfigurationError as error:
            missing[name] = str(error)
    if not models:
        raise ConfigurationError(next(iter(missing.values())))
    return models, missing


_MODELS, _MISSING = _load_models()


def catalog_models() -> dict[str, type[DeliverySettings]]:
    """The settings of each available catalog, by its type."""
    return dict(_MODELS)


def _installed(value: Any) -> Any:
    kind = value.get("type") if isinstance(value, dict) else None
    if kind in _MISSING:
        raise ValueError(_MISSING[kind])
    return value


if TYPE_CHECKING:
    Catalog: TypeAlias = DeliverySettings
else:
    Catalog = Annotated[
        Annotated[reduce(or_, _MODELS.values()), Field(discriminator="type")], BeforeValidator(_installed)
    ]
