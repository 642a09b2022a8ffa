"""From a unit to its result: the analysis itself, without limits."""

from __future__ import annotations

import time

from connector.analysis.analyser import Analyser
from connector.guard.blame import Place
from connector.model import Model, Script
from connector.model.rows import rows_of
from connector.pipeline.context import AnalysisContext, load_context
from connector.pipeline.results import UnitResult, failed_result
from connector.pipeline.units import Unit, Work
from connector.request.guarded import statement_places
from connector.sql.dialects import get_dialect
from connector.sql.identity import blank_credentials
from connector.store.level_rows import level_rows


def work_on(work: Work) -> list[UnitResult]:
    """The task of a guard: the results of some units."""
    context = load_context(work.context)
    return [analyse_unit(unit, context) for unit in work.units]


def analyse_unit(unit: Unit, context: AnalysisContext) -> UnitResult:
    """The complete model of a unit and its levels, as rows."""
    started = time.perf_counter()
    if unit.reason is not None:
        return failed_result(unit, unit.reason, unit.message or "")
    model = analyse_texts(unit, context)
    levels = level_rows(model, keep_temporaries=context.options.temporaries, for_catalogs=True)
    return UnitResult(
        unit.key,
        0,
        "ok",
        None,
        None,
        unit.source,
        unit.place,
        unit.line,
        unit.dialect,
        unit.size,
        [blank_credentials(text.text, get_dialect(unit.dialect)) for text in unit.texts],
        time.perf_counter() - started,
        rows_of(model),
        levels,
    )


def analyse_texts(unit: Unit, context: AnalysisContext) -> Model:
    """The model of the texts in order. What one creates or sets the next ones know.

    Where the log says in which database and schema a statement ran, and it is another than that of the one before, the
    log is right, whatever the session's own statements seem to have done.
    """
    dialect = get_dialect(unit.dialect)
    first = unit.texts[0]
    model = Model(
        vendor=dialect.vendor,
        layers=dialect.layers,
        default_schema=first.schema or dialect.default_schema,
        cluster=unit.cluster or dialect.default_cluster,
        scripts=[Script(text.text, number, text.name) for number, text in enumerate(unit.texts)],
    )
    analyser = Analyser.of_scripts(
        model.scripts, model, dialect, context.options_of(log=unit.log), context.provider(unit.dialect, unit.cluster)
    )
    place: tuple[str | None, str | None] = (None, None)
    for script, text in zip(model.scripts, unit.texts, strict=True):
        if (text.database, text.schema) != place:
            place = text.database, text.schema
            analyser.ctx.catalog.use_names(text.database, text.schema)
        analyser.script(script)
    return model


def places_in(unit: Unit) -> list[list[Place]]:
    """For each text of a unit where its statements stand; the task of a guard."""
    return [statement_places(text.text, unit.dialect) for text in unit.texts]
