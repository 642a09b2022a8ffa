"""Columns of known tables, used to expand `*` and to assign unqualified columns to their tables."""

from connector.metadata.provider import (
    MappingMetadata,
    MetadataLike,
    MetadataProvider,
    TableInfo,
    as_provider,
    load_metadata,
    merge_metadata,
    parse_json_metadata,
)

__all__ = [
    "MappingMetadata",
    "MetadataLike",
    "MetadataProvider",
    "TableInfo",
    "as_provider",
    "load_metadata",
    "merge_metadata",
    "parse_json_metadata",
]
