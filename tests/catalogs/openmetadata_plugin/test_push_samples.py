"""Every script of the golden tests, written to the server and read back: the same edges, the same columns."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from catalog import Catalog
from expected import Edges, expected_edges, fqn, in_words
from scripts import dialects, samples
from server import OpenMetadataServer

from connector.catalogs.openmetadata import OpenMetadataSettings, push
from connector.common.resources import resource_folder
from connector.lineage import Lineage


def _folded(edges: Edges) -> Edges:
    """Without the case of names: a mapping writes it as the database would, the model as the script does."""
    result: Edges = {}
    for (source, target), columns in edges.items():
        pairs = result.setdefault((source.casefold(), target.casefold()), set())
        pairs.update((one.casefold(), two.casefold()) for one, two in columns)
    return result


def _masked(edges: Edges, lineage: Lineage) -> Edges:
    """With the names that columns are created under: literals in a name that the engine derives stay on the machine."""
    made = [column for entity in lineage.model.entities for column in entity.columns.values()]
    names = {
        fqn((in_words(column.name),)): fqn((in_words(column.masked),)) for column in made if column.masked is not None
    }
    return {
        pair: {(names.get(one, one), names.get(two, two)) for one, two in columns} for pair, columns in edges.items()
    }


@pytest.mark.parametrize("dialect", dialects())
def test_equals_the_model(dialect: str, server: OpenMetadataServer, catalog: Catalog, tmp_path: Path) -> None:
    """All tables are there, in the case of the script."""
    wrong = {}
    for sample in samples(dialect):
        catalog.remove_edges()
        catalog.provide(sample.lineage, sample.name)
        settings = OpenMetadataSettings(
            url=server.url, token=server.token(), state=tmp_path / "state.db", service=sample.name, missing="warn"
        )
        summary = push([sample.lineage], settings, source=sample.name)
        found, wanted = catalog.mappings(), expected_edges(sample.lineage, sample.name)
        if found != wanted or summary.failures:
            wrong[sample.name] = {"found": found, "wanted": wanted, "told": [*summary.failures, *summary.notes]}
            continue
        server.log.clear()
        push([sample.lineage], settings, source=sample.name)
        if server.log.writes():
            wrong[sample.name] = {"written again": list(map(str, server.log.writes()))}
    assert not wrong


@pytest.mark.parametrize("dialect", dialects())
def test_equals_the_model_when_all_is_created(
    dialect: str, server: OpenMetadataServer, catalog: Catalog, tmp_path: Path
) -> None:
    """Nothing is there, and the mapping creates everything."""
    text = (resource_folder("mappings") / "openmetadata.yaml").read_text(encoding="utf-8")
    mapping = yaml.safe_load(text)
    for rule in mapping["services"]:
        rule["create"] = ["service", "database", "schema", "table", "procedure"]
    for rule in mapping["storage"]:
        rule["create"] = ["service", "container"]
    file = tmp_path / "create.yaml"
    file.write_text(yaml.safe_dump(mapping), encoding="utf-8")
    wrong = {}
    for sample in samples(dialect):
        catalog.remove_edges()
        settings = OpenMetadataSettings(
            url=server.url, token=server.token(), state=tmp_path / "state.db", service=sample.name, mapping=str(file)
        )
        summary = push([sample.lineage], settings, source=sample.name)
        tables = set(catalog.names("table"))
        found = {pair: columns for pair, columns in catalog.mappings().items() if tables.issuperset(pair)}
        wanted = _masked(expected_edges(sample.lineage, sample.name), sample.lineage)
        if _folded(found) != _folded(wanted) or summary.failures:
            wrong[sample.name] = {"found": found, "wanted": wanted, "told": [*summary.failures, *summary.notes]}
            continue
        server.log.clear()
        push([sample.lineage], settings, source=sample.name)
        if server.log.writes():
            wrong[sample.name] = {"written again": list(map(str, server.log.writes()))}
    assert not wrong
