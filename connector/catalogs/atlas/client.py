"""Apache's own Atlas client, over our HTTP: kept-alive connections for each thread, retries, timeouts, TLS, and errors that say
what to do.

Its methods and classes are used as they are. What the library lacks is here, and nowhere else:

- a transport that tries again, may be called from several threads, keeps the path of an address (`https://gateway/atlas`) and
  never logs a body or a header (:meth:`AtlasClient.call_api`);
- reading any number of names without too long a request line, and skipping those that do not exist (:meth:`AtlasClient.read`);
- an update of some attributes of an entity, found by its name (:meth:`AtlasClient.set_attributes`);
- deletes and purges in portions, and whether we may purge at all;
- paging through a search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote
from uuid import UUID

from apache_atlas.client.base_client import AtlasClient as ApacheAtlasClient
from apache_atlas.client.entity import EntityClient
from apache_atlas.model.discovery import FilterCriteria, SearchParameters
from apache_atlas.model.instance import (
    AtlasEntitiesWithExtInfo,
    AtlasEntity,
    AtlasEntityHeader,
    AtlasEntityWithExtInfo,
    EntityMutationResponse,
)
from apache_atlas.model.misc import AtlasBase, SearchFilter
from apache_atlas.model.typedef import AtlasTypesDef
from apache_atlas.utils import API, attributes_to_params, type_coerce

from connector.catalogs.http import HttpClient, RefusedError, encode

_LONGEST_QUERY = 6000
"""Servers take 8 KB of request line and headers together."""
_PORTION = 100
"""Guids in one request that deletes or purges."""
_READ_PORTION = 50
"""Guids in one request that reads."""

_Said = TypeVar("_Said", bound=AtlasBase)


class AtlasClient(ApacheAtlasClient):
    """One Atlas server. Everything here may be sent twice without harm."""

    def __init__(self, http: HttpClient) -> None:
        super().__init__(http.url, None)  # type: ignore[no-untyped-call]
        self.session.close()
        self.http = http
        self.guard: Callable[[], None] | None = None
        """Asked before every write; raises an error if this run may no longer write."""

    def __enter__(self) -> AtlasClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    @property
    def url(self) -> str:
        return self.http.url

    def call_api(
        self,
        api: API,
        response_type: type[Any] | None = None,
        query_params: Mapping[str, Any] | None = None,
        request_obj: Any = None,
        *,
        attempts: int | None = None,
    ) -> Any:
        """Send what a method of the library has put together. A refusal is a :class:`RefusedError`."""
        answer = self.http.request(
            api.method.value,
            f"/{api.path.strip('/')}",
            params=_parameters(query_params) if query_params else None,
            data=encode(request_obj) if request_obj is not None else None,
            attempts=attempts,
            expects_json=response_type is not None,
        )
        if answer is None or response_type is None:
            return None
        return type_coerce(answer, response_type) if issubclass(response_type, AtlasBase) else answer

    # --- types ------------------------------------------------------------------------------------------------------

    def typedefs(self) -> AtlasTypesDef:
        """All types of the server."""
        found: AtlasTypesDef = self.typedef.get_all_typedefs(SearchFilter())
        return found

    # --- entities ---------------------------------------------------------------------------------------------------

    def read(self, type_name: str, names: Sequence[str], *, relationships: bool = False) -> Iterator[AtlasEntity]:
        """The entities of a type that have these qualified names; names that do not exist are skipped."""
        for portion in self.portions(names):
            yield from self.read_portion(type_name, portion, relationships=relationships)

    def portions(self, names: Iterable[str]) -> Iterator[list[str]]:
        """Names in the portions that :meth:`read` asks for, so that a caller may ask from several threads."""
        portion: list[str] = []
        size = 0
        for name in names:
            length = len(quote(name, safe="")) + len("attr_000%3AqualifiedName=&")
            if portion and size + length > _LONGEST_QUERY:
                yield portion
                portion, size = [], 0
            portion.append(name)
            size += length
        if portion:
            yield portion

    def read_portion(self, type_name: str, names: Sequence[str], *, relationships: bool = False) -> list[AtlasEntity]:
        """The entities that one request finds."""
        unique = [{"qualifiedName": name} for name in names]
        try:
            answer: AtlasEntitiesWithExtInfo | None = self.entity.get_entities_by_attribute(
                type_name, unique, min_ext_info=True, ignore_relationships=not relationships
            )
        except RefusedError as error:
            if error.status == 404:
                return []
            raise
        return (answer.entities or []) if answer is not None else []

    def by_guid(self, guids: Sequence[str]) -> list[AtlasEntity]:
        """Entities by the server's own keys, however many; those that were purged are skipped."""
        portions = (guids[start : start + _READ_PORTION] for start in range(0, len(guids), _READ_PORTION))
        return [entity for portion in portions for entity in self._read_guids(portion)]

    def _read_guids(self, guids: Sequence[str]) -> list[AtlasEntity]:
        try:
            answer: AtlasEntitiesWithExtInfo | None = self.entity.get_entities_by_guids(guids, True, True)
        except RefusedError as error:
            if error.status != 404:
                raise
            if len(guids) == 1:
                return []
            half = len(guids) // 2
            return [*self._read_guids(guids[:half]), *self._read_guids(guids[half:])]
        return (answer.entities or []) if answer is not None else []

    def all_exist(self, guids: Sequence[str]) -> bool:
        """Whether the server has all of these entities, and none of them is deleted."""
        try:
            answer: AtlasEntitiesWithExtInfo | None = self.entity.get_entities_by_guids(guids, True, True)
        except RefusedError as error:
            if error.status == 404:
                return False
            raise
        return answer is None or all(entity.status == "ACTIVE" for entity in answer.entities or ())

    def one(self, guid: str) -> AtlasEntity:
        """One entity, with everything that is known of it."""
        answer: AtlasEntityWithExtInfo = self.entity.get_entity_by_guid(guid)
        entity: AtlasEntity = answer.entity
        return entity

    def save(self, entities: Sequence[AtlasEntity], *, attempts: int | None = None) -> EntityMutationResponse:
        """Create or update entities; all of them or none."""
        self._ask()
        together = {"entities": entities}
        answer = self.call_api(EntityClient.CREATE_ENTITIES, EntityMutationResponse, None, together, attempts=attempts)
        return answer if answer is not None else EntityMutationResponse()

    def set_attributes(self, type_name: str, name: str, attributes: dict[str, Any]) -> None:
        """Change some attributes of an entity that exists, and nothing else of it."""
        entity = compact(AtlasEntity({"typeName": type_name, "attributes": {"qualifiedName": name, **attributes}}))
        self.call_api(
            EntityClient.UPDATE_ENTITY_BY_ATTRIBUTE.format_path_with_params(quote(type_name, safe="")),
            EntityMutationResponse,
            attributes_to_params({"qualifiedName": name}),
            {"entity": entity},
        )

    def delete(self, guids: Sequence[str]) -> None:
        """Delete entities as the server is set up to do it: by default they are only marked."""
        self._ask()
        for start in range(0, len(guids), _PORTION):
            try:
                self.entity.delete_entities_by_guids(guids[start : start + _PORTION])
            except RefusedError as error:
                if error.status != 404:  # gone already: a retry, or a server that removes parts with their whole
                    raise

    def purge(self, guids: Sequence[str]) -> None:
        """Remove deleted entities, edges included. Only then are they gone from the lineage answer."""
        self._ask()
        for start in range(0, len(guids), _PORTION):
            self.entity.purge_entities_by_guids(guids[start : start + _PORTION])

    def may_purge(self) -> bool:
        """Whether our user is allowed to purge. Tested with a guid that does not exist, so nothing happens."""
        try:
            self.purge([str(UUID(int=0))])
        except RefusedError as error:
            return error.status not in (403, 405)
        return True

    def _ask(self) -> None:
        if self.guard is not None:
            self.guard()

    # --- questions --------------------------------------------------------------------------------------------------

    def search(
        self, type_name: str, attributes: Sequence[str], *, prefix: str | None = None
    ) -> Iterator[AtlasEntityHeader]:
        """The live entities of exactly this type, with these attributes, and names that begin with `prefix`.

        Atlas cannot filter by what is in a list. Its index follows what was written after a moment.
        """
        begins = {"attributeName": "qualifiedName", "operator": "startsWith", "attributeValue": prefix}
        size = 500
        for offset in range(0, 1_000_000, size):
            parameters = SearchParameters(
                {
                    "typeName": type_name,
                    "includeSubTypes": False,
                    "excludeDeletedEntities": True,
                    "limit": size,
                    "offset": offset,
                    "attributes": ["qualifiedName", *attributes],
                    "entityFilters": compact(FilterCriteria(begins)) if prefix else None,
                }
            )
            answer = self.discovery.faceted_search(compact(parameters))
            found = (answer.entities if answer is not None else None) or []
            yield from found
            if len(found) < size:
                return


def compact(value: _Said) -> _Said:
    """The object without what it does not say. The library's classes say null for it, and to Atlas a null is a value."""
    for name in [name for name, held in value.items() if held is None]:
        del value[name]  # type: ignore[no-untyped-call]
    return value


def _parameters(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in values.items()}
