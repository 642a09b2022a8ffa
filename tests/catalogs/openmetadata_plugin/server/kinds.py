"""The kinds of entity that the server keeps, each with the generated models that its bodies are checked with."""

from __future__ import annotations

from dataclasses import dataclass

from metadata.generated.schema.api.data.createContainer import CreateContainerRequest
from metadata.generated.schema.api.data.createDatabase import CreateDatabaseRequest
from metadata.generated.schema.api.data.createDatabaseSchema import CreateDatabaseSchemaRequest
from metadata.generated.schema.api.data.createPipeline import CreatePipelineRequest
from metadata.generated.schema.api.data.createStoredProcedure import CreateStoredProcedureRequest
from metadata.generated.schema.api.data.createTable import CreateTableRequest
from metadata.generated.schema.api.services.createDatabaseService import CreateDatabaseServiceRequest
from metadata.generated.schema.api.services.createPipelineService import CreatePipelineServiceRequest
from metadata.generated.schema.api.services.createStorageService import CreateStorageServiceRequest
from metadata.generated.schema.entity.data.container import Container
from metadata.generated.schema.entity.data.database import Database
from metadata.generated.schema.entity.data.databaseSchema import DatabaseSchema
from metadata.generated.schema.entity.data.pipeline import Pipeline
from metadata.generated.schema.entity.data.storedProcedure import StoredProcedure
from metadata.generated.schema.entity.data.table import Table
from metadata.generated.schema.entity.services.databaseService import DatabaseService
from metadata.generated.schema.entity.services.pipelineService import PipelineService
from metadata.generated.schema.entity.services.storageService import StorageService
from pydantic import BaseModel

__all__ = ["KINDS", "KINDS_BY_COLLECTION", "Kind"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of entity."""

    type: str
    collection: str
    create: type[BaseModel]
    entity: type[BaseModel]
    parent: str | None = None
    """The field of the create request that names the parent."""
    parent_type: str | None = None
    index: str | None = None
    """The search index that it is found in."""


_ALL = (
    Kind("databaseService", "services/databaseServices", CreateDatabaseServiceRequest, DatabaseService),
    Kind("storageService", "services/storageServices", CreateStorageServiceRequest, StorageService),
    Kind("pipelineService", "services/pipelineServices", CreatePipelineServiceRequest, PipelineService),
    Kind("database", "databases", CreateDatabaseRequest, Database, "service", "databaseService"),
    Kind("databaseSchema", "databaseSchemas", CreateDatabaseSchemaRequest, DatabaseSchema, "database", "database"),
    Kind("table", "tables", CreateTableRequest, Table, "databaseSchema", "databaseSchema", "table_search_index"),
    Kind(
        "storedProcedure",
        "storedProcedures",
        CreateStoredProcedureRequest,
        StoredProcedure,
        "databaseSchema",
        "databaseSchema",
        "stored_procedure_search_index",
    ),
    Kind(
        "container",
        "containers",
        CreateContainerRequest,
        Container,
        "service",
        "storageService",
        "container_search_index",
    ),
    Kind(
        "pipeline", "pipelines", CreatePipelineRequest, Pipeline, "service", "pipelineService", "pipeline_search_index"
    ),
)

KINDS = {kind.type: kind for kind in _ALL}
KINDS_BY_COLLECTION = {kind.collection: kind for kind in _ALL}
