"""What catalogs read from the tables is what they would derive themselves."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from connector import analyze
from connector.catalogs.atlas.statements import make_plan as atlas_plan
from connector.catalogs.atlas.validation import checked_mapping
from connector.catalogs.openlineage.collecting import collect
from connector.catalogs.openlineage.settings import OpenLineageSettings
from connector.catalogs.openmetadata.mapping import load_mapping
from connector.catalogs.openmetadata.planning import make_plan as openmetadata_plan
from connector.common.resources import resource_folder
from connector.lineage import Lineage
from connector.model import Model
from connector.model.levels import ColumnEdge, Levels
from connector.model.rows import rows_of
from connector.options import Options
from connector.pipeline.arrow import pack_results, unpack_results
from connector.pipeline.results import UnitResult
from connector.store.known_levels import known_levels
from connector.store.level_rows import level_rows

NOW = datetime(2024, 5, 1, tzinfo=timezone.utc)
GOLDEN = Path(__file__).parent.parent / "golden"
DIALECTS = sorted(folder.name for folder in GOLDEN.iterdir() if folder.is_dir() and any(folder.glob("*.sql")))
ATLAS = checked_mapping("default").mapping
OPENMETADATA = load_mapping(resource_folder("mappings") / "openmetadata.yaml")[0]

TEMPORARY = """
create temp table s as select a, upper(b) as b from raw.t where c > 1;
insert into mart.o (x, y) select a, b from s;
drop table s;
create temp table s as select k as a, k as b from raw.u;
insert into mart.p (x, y) select a, b || '!' from s union all select k, k from raw.v;
insert into mart.p (x, y) select a, b || '!' from s union all select k, k from raw.v;
select count(*) from s
"""


def through_tables(model: Model, text: str, options: Options) -> Lineage:
    """A model as a run writes it and a delivery reads it."""
    levels = level_rows(model, keep_temporaries=options.temporaries, for_catalogs=True)
    result = UnitResult("k", 0, "ok", None, None, "", "", 1, "", 0, [text], 0.0, rows_of(model), levels)
    (back,) = unpack_results(pack_results([result]))
    restored = back.model
    assert back.levels is not None
    return Lineage(restored, options, levels=known_levels(back.levels, restored))


def told(lineage: Lineage) -> list[Any]:
    """What all catalogs are told."""
    settings = OpenLineageSettings(file=Path("events.jsonl"))
    atlas = atlas_plan([lineage], ATLAS, "s")
    for entity in atlas.entities.values():
        for attributes in (entity.attributes, entity.initial):
            attributes.pop("loadTime", None)
    return [
        atlas,
        openmetadata_plan([lineage], OPENMETADATA, "s", "wh"),
        [event.content for event in collect([lineage], settings, now=NOW)],
    ]


def edge_facts(levels: Levels) -> list[Any]:
    def column(edge: ColumnEdge) -> tuple[Any, ...]:
        ends = [(end.entity.id, end.id) for end in (edge.source, edge.target)]
        process = edge.process and edge.process.id
        ways = [(way.transformation, way.expression, [step.id for step in way.steps]) for way in edge.ways]
        return (edge.type, *ends, process, edge.effect, edge.clause, edge.count, edge.approximate, ways)

    tables = [
        (edge.type, edge.source.id, edge.target.id, edge.process and edge.process.id, edge.count)
        for edge in levels.tables.relations
    ]
    facts = [
        (each.process.id, [entity.id for entity in each.inputs], [entity.id for entity in each.outputs])
        for each in levels.tables.statements
    ]
    return [[column(edge) for edge in levels.columns], tables, facts]


@pytest.mark.parametrize("temporaries", [False, True])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_levels_come_back_as_they_were(dialect: str, temporaries: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 0.0)
    options = Options(temporaries=temporaries)
    compared = 0
    for number, file in enumerate(sorted((GOLDEN / dialect).glob("*.sql"))):
        text = file.read_text(encoding="utf-8")
        if not any(word in text.lower() for word in ("temp", "#", "declare", "macro")) and (temporaries or number % 3):
            continue
        model = analyze(text, dialect).model
        known, derived = through_tables(model, text, options), Lineage(model, options)
        for kept in {False, temporaries}:
            assert edge_facts(known.levels(temporaries=kept)) == edge_facts(derived.levels(temporaries=kept)), file
        assert told(known) == told(derived), file
        compared += 1
    assert compared or temporaries


@pytest.mark.parametrize("temporaries", [False, True])
def test_nothing_is_derived_again(temporaries: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    options = Options(temporaries=temporaries)
    model = analyze(TEMPORARY, "snowflake").model
    expected = told(Lineage(model, options))
    known = through_tables(model, TEMPORARY, options)

    def again(*_: Any, **__: Any) -> Any:
        raise AssertionError("a level is derived again")

    for name in ("column.sort_by_target", "walk.edges_between", "table._add_flows", "table._statements"):
        monkeypatch.setattr(f"connector.model.levels.{name}", again)
    assert told(known) == expected
