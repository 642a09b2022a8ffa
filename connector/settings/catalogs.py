"""The catalogs of a job: the settings of each catalog's own package, told apart by their type."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from connector.catalogs.atlas.settings import AtlasSettings
from connector.catalogs.openlineage.settings import OpenLineageSettings
from connector.catalogs.openmetadata.settings import OpenMetadataSettings

__all__ = ["AtlasCatalog", "Catalog", "OpenLineageCatalog", "OpenMetadataCatalog"]


class _Delivery(BaseModel):
    """What a job says of a delivery, whichever the catalog."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    source: str | None = None
    """Name under which the lineage is written; what another source has written is never pruned. The job's name when
    left out."""
    verify: bool = False
    """Ask the server whether it still holds what was sent before, instead of trusting the ledger."""


class _Pruning(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)

    prune: bool = False
    """Remove from the catalog what the source does not have any more."""


class AtlasCatalog(AtlasSettings, _Delivery, _Pruning):
    """Apache Atlas."""

    type: Literal["atlas"]
    """The kind of catalog."""


class OpenMetadataCatalog(OpenMetadataSettings, _Delivery, _Pruning):
    """OpenMetadata."""

    type: Literal["openmetadata"]
    """The kind of catalog."""


class OpenLineageCatalog(OpenLineageSettings, _Delivery):
    """A service that takes OpenLineage events, or a file of them."""

    type: Literal["openlineage"]
    """The kind of catalog."""


Catalog: TypeAlias = Annotated[AtlasCatalog | OpenMetadataCatalog | OpenLineageCatalog, Field(discriminator="type")]
