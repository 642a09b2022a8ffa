"""A classification on a column reaches what is made of it on a real Atlas, and nothing that it only decides about."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from apache_atlas.model.instance import AtlasClassification
from atlas_reading import atlas_edges

from connector import Lineage, analyze
from connector.catalogs.atlas import AtlasSettings, push
from connector.catalogs.atlas.client import AtlasClient
from connector.common.resources import resource_folder

SQL = """
    insert into core.customers (id, contact) select id, lower(email) from raw.customers;
    insert into mart.contacts (who, visits) select contact, count(*) from core.customers group by contact;
    insert into mart.share (part) select sum(amount) over (partition by email) from raw.payments;
    insert into mart.filtered (id) select id from raw.payments where email like '%@example.com';
"""


@pytest.fixture
def lineage(cluster: str) -> Lineage:
    return analyze(SQL, dialect="snowflake", cluster=cluster)


def classified(client: AtlasClient, name: str, cluster: str, kind: str = "sql_column") -> bool:
    (entity,) = client.read(kind, [f"default.{name}@{cluster}"])
    return bool(client.one(entity.guid).classifications)


def classify(client: AtlasClient, name: str, cluster: str) -> None:
    pii = f"PII_{cluster}"
    if pii not in {each.name for each in client.typedefs().classificationDefs}:
        client.typedef.create_atlas_typedefs(
            {"classificationDefs": [{"name": pii, "superTypes": [], "attributeDefs": []}]}
        )
    (entity,) = client.read("sql_column", [f"default.{name}@{cluster}"])
    client.entity.add_classifications_by_guid(entity.guid, [AtlasClassification({"typeName": pii, "propagate": True})])


def test_data_carries_a_classification_and_influence_does_not(
    settings: AtlasSettings, client: AtlasClient, cluster: str, lineage: Lineage
) -> None:
    push([lineage], settings, source=cluster)

    classify(client, "raw.customers.email", cluster)
    classify(client, "raw.payments.email", cluster)

    assert classified(client, "core.customers.contact", cluster)
    assert classified(client, "mart.contacts.who", cluster), "over two statements"
    assert not classified(client, "core.customers.id", cluster)
    assert not classified(client, "mart.contacts.visits", cluster), "counted for each address, and no address"
    assert not classified(client, "mart.share.part", cluster)
    assert not classified(client, "mart.filtered.id", cluster)
    # All the same, the lineage answer shows what decides.
    for target in ("mart.contacts.visits", "mart.share.part", "mart.filtered.PseudoRows"):
        sources = {s for s, _, _ in atlas_edges(client, [("sql_column", f"default.{target}@{cluster}")], "INPUT")}
        assert any(".contact@" in source or ".email@" in source for source in sources), target
    assert not push([lineage], settings, source=cluster, verify=True).changed
    assert classified(client, "mart.contacts.who", cluster)


def test_a_classification_travels_to_what_is_loaded_later(
    settings: AtlasSettings, client: AtlasClient, cluster: str, lineage: Lineage
) -> None:
    push([lineage], settings, source=cluster)
    classify(client, "raw.customers.email", cluster)

    later = analyze("insert into mart.later (mail) select contact from core.customers", "snowflake", cluster=cluster)
    push([later], settings, source=cluster)

    assert classified(client, "mart.later.mail", cluster)


def test_a_mapping_may_let_influence_carry_it(
    settings: AtlasSettings, client: AtlasClient, cluster: str, lineage: Lineage, tmp_path: Path
) -> None:
    mapping = yaml.safe_load((resource_folder("mappings") / "default.yaml").read_text())
    for kind in ("process", "column_lineage"):
        del mapping["entities"][kind]["indirect_inputs"]
    file = tmp_path / "together.yaml"
    file.write_text(yaml.safe_dump(mapping))
    push([lineage], settings.model_copy(update={"mapping": str(file)}), source=cluster)

    classify(client, "raw.payments.email", cluster)

    assert classified(client, "mart.share.part", cluster)
