"""COPY, LOAD, UNLOAD, EXPORT and stages: data that enters or leaves the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.builder import STAR
from connector.analysis.context import Context, Target
from connector.analysis.rowset import Rowset
from connector.analysis.statements.inner import (
    column_target,
    end_rowset,
    inside,
    place_rowset,
    query,
    query_in_string,
)
from connector.analysis.writing import write_columns
from connector.model import Column, EffectType
from connector.sql.locations import Location
from connector.sql.pseudo_columns import STREAM_COLUMNS
from connector.sql.readers.readings import Copies, Movement, Stage
from connector.sql.statement import Statement
from connector.sql.table_names import NameRef
from connector.sql.words import like


@dataclass(frozen=True, slots=True)
class _Query:
    """A syntax tree and the statement its places are counted in."""

    node: Any
    statement: Statement


def read_movement(ctx: Context, reading: Movement) -> None:
    """One movement, as a process of its own."""
    tree = _query_of(ctx, reading)
    process = ctx.begin(reading.type)
    _move(ctx, reading, tree)
    if reading.target is None:
        process.flows.append(ctx.builder.flow)


def read_copies(ctx: Context, reading: Copies) -> None:
    """Several movements of one statement."""
    ctx.begin(reading.movements[0].type)
    for movement in reading.movements:
        _move(ctx, movement, None)
        ctx.builder.flow = type(ctx.builder.flow)(None)


def _move(ctx: Context, reading: Movement, tree: _Query | None) -> None:
    builder = ctx.builder
    result = None
    looked_up = [(ref, _lookup(ctx, *expression)) for ref, expression in reading.looked_up]
    if tree is not None:
        with inside(ctx, tree.statement):
            kind = "insert-select" if reading.type == "Insert" else "select_list"
            result = ctx.queries.read(tree.node, None, None, kind)
    sources = [end_rowset(ctx, end) for end in reading.sources]
    if reading.cursor is not None:
        sources += _declared_cursor(ctx, reading.cursor)
    for source in sources:
        builder.flow.sources[source.entity] = None
    if reading.target is None:
        return
    target = end_rowset(ctx, reading.target)
    ctx.writes(target.entity)
    names = [column_target(ctx, ref) for ref in reading.columns] or None
    if reading.type == "Hive Load" and names is not None and target.known:
        given = {key for key, _, _ in names}
        names = [*((key, name, None) for key, name in target.known.items() if key not in given), *names]
    if result is not None:
        write_columns(ctx, target, result, names, reading.effect)
    taken = [column_target(ctx, ref) for ref in reading.source_columns] or None
    if reading.cursor is not None and sources:
        fetched = sources[0].entity.columns.items()
        taken = [(key, column.name, None) for key, column in fetched if not column.system]
    for source in sources:
        fill_from(ctx, target, source, names, taken, reading.effect)
    for ref, node in looked_up:
        for _, column in ctx.queries.read(node, None, None).outputs[:1]:
            builder.direct(target.column(builder, *column_target(ctx, ref)), column, reading.effect)
    if reading.creates and sources:
        known = dict(sources[0].known) if sources[0].known is not None else None
        if known is not None and reading.effect == "create_stream":
            known.update({ctx.names.key_of(name): name for name in STREAM_COLUMNS})
        ctx.catalog.define(target, known)


def _lookup(ctx: Context, start: int, end: int) -> Any:
    """``SET a = (SELECT …)`` of a LOAD: the expression as a query."""
    tokens = ctx.statement.tokens[start:end]
    return query(ctx, [like(tokens[0], TokenType.SELECT, "SELECT"), *tokens])


def _declared_cursor(ctx: Context, name: NameRef) -> list[Rowset]:
    """The cursor of that name; a problem if it is not declared."""
    found = ctx.names.variables.get(ctx.names.key_of(name.parts[-1][0]))
    if found is not None:
        ctx.builder.enter(found.entity)
        return [found]
    start, end = name.start + ctx.statement.base, name.end + ctx.statement.base
    ctx.builder.problem("SyntaxHint", "This cursor is not declared in the script: what it reads is unknown", start, end)
    return []


def _query_of(ctx: Context, reading: Movement) -> _Query | None:
    """The query of a movement, parsed before anything is added to the model."""
    statement: Statement | None = None
    if reading.query is not None:
        node = query(ctx, ctx.statement.tokens[reading.query[0] : reading.query[1]])
        return _Query(node, ctx.statement) if node is not None else None
    if reading.query_text is not None:
        statement = query_in_string(ctx, ctx.statement.tokens[reading.query_text])
    if statement is None:
        return None
    with inside(ctx, statement):
        node = query(ctx, statement.tokens)
    return _Query(node, statement) if node is not None else None


def fill_from(
    ctx: Context,
    target: Rowset,
    source: Rowset,
    names: list[Target] | None,
    taken: list[Target] | None,
    effect: EffectType,
) -> None:
    """Links all that comes from a source with all that is filled in the target, column by column where both are tables."""
    builder = ctx.builder
    for left, right in _pairs(ctx, target, source, names, taken):
        builder.direct(left, right, effect)


def _pairs(
    ctx: Context, target: Rowset, source: Rowset, names: list[Target] | None, taken: list[Target] | None
) -> list[tuple[Column, Column]]:
    filled = names or _known(target)
    given = taken or _known(source)
    if target.element is not None and source.element is not None:
        return [(target.element, source.element)]
    if source.element is not None:
        element = source.element
        return [(_column(ctx, target, name), element) for name in filled or [_ALL]]
    if target.element is not None:
        element = target.element
        return [(element, _column(ctx, source, name)) for name in given or [_ALL]]
    if filled and not given and names is None:
        given = filled
    if given and not filled:
        filled = given
    if filled and given:
        return [
            (_column(ctx, target, left), _column(ctx, source, right))
            for left, right in zip(filled, given, strict=False)
        ]
    return [(_column(ctx, target, _ALL), _column(ctx, source, _ALL))]


_ALL: Target = (STAR, STAR, None)


def _known(rowset: Rowset) -> list[Target]:
    return [(key, name, None) for key, name in (rowset.known or {}).items()]


def _column(ctx: Context, rowset: Rowset, name: Target) -> Column:
    key, written, span = name
    if key == STAR:
        return rowset.entity.columns.get(STAR) or ctx.builder.column(rowset.entity, STAR, STAR, span)
    return rowset.column(ctx.builder, key, written, span)


def read_stage(ctx: Context, reading: Stage) -> None:
    """CREATE STAGE: what lies under the URL is what the stage holds."""
    ctx.begin("Create Stage")
    builder = ctx.builder
    url: Location | None = reading.url
    source = place_rowset(ctx, url) if url is not None else None
    if source is not None:
        builder.flow.sources[source.entity] = None
    stage = ctx.catalog.stage(reading.stage, url.uri if url is not None else None)
    ctx.writes(stage.entity)
    if source is not None and source.element is not None and stage.element is not None:
        builder.direct(stage.element, source.element, "create_stage")


def read_into_file(ctx: Context, place: Location, tokens: list[Token]) -> None:
    """``SELECT … INTO OUTFILE``: the query without that clause, and the file it goes to."""
    node = query(ctx, tokens)
    ctx.begin("Select Into")
    result = ctx.queries.read(node, None, None)
    target = place_rowset(ctx, place)
    ctx.writes(target.entity)
    write_columns(ctx, target, result, None, "export")


MEANINGS = {Copies: read_copies, Movement: read_movement, Stage: read_stage}
