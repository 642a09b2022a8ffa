"""Types on a real Atlas: created, widened, never narrowed, and left alone when the server is ahead."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from apache_atlas.model.instance import AtlasEntity

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.typedefs import apply_changes, find_changes, own_typedefs
from connector.errors import ConfigurationError


@pytest.fixture
def own(cluster: str) -> list[dict[str, Any]]:
    """Our types under names that the server does not have yet."""
    return [json.loads(json.dumps(document).replace("sql_", f"{cluster}_")) for _, document in own_typedefs()]


def actions(client: AtlasClient, documents: list[dict[str, Any]]) -> dict[str, str]:
    return {change.name: change.action for change in find_changes(documents, client.typedefs())}


def test_apply_creates_everything_once(client: AtlasClient, own: list[dict[str, Any]]) -> None:
    assert set(actions(client, own).values()) == {"create"}
    apply_changes(client, find_changes(own, client.typedefs()))
    assert set(actions(client, own).values()) == {"keep"}
    sent: list[str] = []
    client.typedef.create_atlas_typedefs = client.typedef.update_atlas_typedefs = lambda types: sent.append("sent")
    apply_changes(client, find_changes(own, client.typedefs()))
    assert not sent


def test_apply_widens_refuses_to_narrow_and_leaves_newer_types_alone(
    client: AtlasClient, own: list[dict[str, Any]], cluster: str, tmp_path: Path
) -> None:
    apply_changes(client, find_changes(own, client.typedefs()))
    wider = copy.deepcopy(own)
    name = f"{cluster}_column"
    column = next(each for document in wider for each in document["entityDefs"] if each["name"] == name)
    column["typeVersion"] = "1.1"
    column["attributeDefs"].append({"name": "unit", "typeName": "string", "isOptional": True, "cardinality": "SINGLE"})

    assert actions(client, wider)[name] == "update"
    apply_changes(client, find_changes(wider, client.typedefs()))
    assert set(actions(client, wider).values()) == {"keep"}
    assert actions(client, own)[name] == "newer"
    apply_changes(client, find_changes(own, client.typedefs()))
    assert set(actions(client, wider).values()) == {"keep"}

    narrower = copy.deepcopy(own)
    column = next(each for document in narrower for each in document["entityDefs"] if each["name"] == name)
    column["typeVersion"] = "1.2"
    with pytest.raises(ConfigurationError, match="the attribute unit would be removed"):
        apply_changes(client, find_changes(narrower, client.typedefs()))


def test_a_deleted_table_takes_its_columns_along(client: AtlasClient, cluster: str) -> None:
    def entity(kind: str, name: str, **references: str) -> str:
        document = {
            "typeName": f"sql_{kind}",
            "guid": "-1",
            "attributes": {"qualifiedName": f"{name}@{cluster}", "name": name},
            "relationshipAttributes": {key: {"guid": value} for key, value in references.items()},
        }
        return str(client.save([AtlasEntity(document)])["guidAssignments"]["-1"])

    instance = entity("instance", "i")
    database = entity("database", "d", instance=instance)
    schema = entity("schema", "s", database=database)
    table = entity("table", "t", namespace=schema)
    column = entity("column", "t.a", table=table)
    process = entity("process", "p")
    lineage = entity("column_lineage", "p:a", process=process)

    client.delete([process])
    assert client.one(lineage)["status"] == "DELETED"
    assert client.one(table)["status"] == "ACTIVE"
    client.delete([database])
    assert {client.one(guid)["status"] for guid in (schema, table, column)} == {"DELETED"}
    assert client.one(instance)["status"] == "ACTIVE"
