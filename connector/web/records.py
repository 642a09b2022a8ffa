"""Converts records of the store to responses of the server, and to the documents that the page draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from connector.store.picture import store_document
from connector.store.reading.details import Texts
from connector.store.reading.records import (
    Column,
    Found,
    Graph,
    Impact,
    ObjectPage,
    Overview,
    StatementPage,
    StoredStatement,
    StoreObject,
)
from connector.web import answers


def object_list(found: Found, page: int, size: int) -> answers.ObjectList:
    items = [
        answers.ObjectListItem(
            **_ref(hit.object), columns=hit.columns, upstream=hit.upstream, downstream=hit.downstream
        )
        for hit in found.hits
    ]
    for hit in found.columns:
        owner = _ref(hit.object)
        owner |= {"id": str(hit.column.number), "kind": "column", "qualified_name": hit.column.qualified_name}
        items.append(answers.ObjectListItem(**owner, column=hit.column.name, object_id=str(hit.object.number)))
    return answers.ObjectList(
        total=found.total,
        page=page,
        page_size=size,
        pages=-(-found.total // size),
        kinds=found.kinds,
        objects=items,
    )


def object_answer(page: ObjectPage, texts: Texts) -> answers.ObjectAnswer:
    return answers.ObjectAnswer(
        **_ref(page.object),
        dialect=page.dialect,
        comment=page.object.comment,
        definition=texts.shown(page.definition, page.dialect),
        columns=[_column(column) for column in page.columns],
        upstream=[answers.ObjectRef(**_ref(each)) for each in page.upstream],
        downstream=[answers.ObjectRef(**_ref(each)) for each in page.downstream],
        written_by=[_statement(each) for each in page.written_by],
        read_by=[_statement(each) for each in page.read_by],
        written_by_total=page.written_by_total,
        read_by_total=page.read_by_total,
        users=page.users,
        first_seen=page.first_seen,
        last_seen=page.last_seen,
    )


def statement_answer(page: StatementPage, texts: Texts) -> answers.StatementAnswer:
    return answers.StatementAnswer(
        **_statement_fields(page.statement),
        text=texts.shown(page.text, page.dialect),
        dialect=page.dialect,
        literals_masked=texts.literals_masked,
        inputs=[answers.ObjectRef(**_ref(each)) for each in page.inputs],
        outputs=[answers.ObjectRef(**_ref(each)) for each in page.outputs],
        alike=[_statement(each) for each in page.alike],
    )


def impact_answer(impact: Impact) -> answers.ImpactAnswer:
    start = impact.start_column or impact.start
    return answers.ImpactAnswer(
        name=start.qualified_name,
        id=str(start.number),
        kind=impact.start.kind,
        column=impact.start_column.name if impact.start_column else None,
        total=len(impact.objects),
        truncated=impact.truncated,
        objects=[
            answers.ImpactObjectInfo(
                **_ref(each.object),
                relation=each.relation,
                distance=each.distance,
                columns=[
                    answers.ImpactColumnInfo(
                        name=touched.column.name,
                        qualified_name=touched.column.qualified_name,
                        rows=touched.column.is_rows,
                        relation=touched.relation,
                        distance=touched.distance,
                    )
                    for touched in each.columns
                ],
                statements=[_statement(statement) for statement in each.statements],
                owners=each.owners,
            )
            for each in impact.objects
        ],
    )


def _ref(found: StoreObject) -> dict[str, Any]:
    place = found.place
    return {
        "id": str(found.number),
        "kind": found.kind,
        "qualified_name": found.qualified_name,
        "name": place.name,
        "cluster": place.cluster,
        "database": place.database,
        "schema_": place.schema,
    }


def _column(column: Column) -> answers.StoreColumnInfo:
    return answers.StoreColumnInfo(
        id=str(column.number),
        name=column.name,
        qualified_name=column.qualified_name,
        rows=column.is_rows,
        data_type=column.data_type,
        comment=column.comment,
    )


def _statement(statement: StoredStatement) -> answers.StatementInfo:
    return answers.StatementInfo(**_statement_fields(statement))


def _statement_fields(statement: StoredStatement) -> dict[str, Any]:
    fields = asdict(statement)
    return {"id": str(fields.pop("number")), **fields, "users": list(statement.users)}


def graph_document(graph: Graph, found: Mapping[int, tuple[str, str]], texts: Texts) -> dict[str, Any]:
    """The lineage around an object; `found` has the texts of its statements, and `texts` what may be shown of them."""
    start = graph.start_column or graph.start
    document = store_document(
        start.qualified_name,
        graph.objects.values(),
        graph.table_edges,
        graph.statements,
        columns=graph.columns,
        column_edges=graph.column_edges,
        texts=found,
        shown=texts,
        truncated=graph.truncated,
    )
    document["start"] = {"id": str(start.number), "kind": graph.start.kind, "qualifiedName": graph.start.qualified_name}
    if graph.start_column is not None:
        document["start"]["column"] = graph.start_column.name
    return document


def overview_document(overview: Overview, title: str) -> dict[str, Any]:
    """The whole store, without the texts of its statements."""
    objects = overview.objects.values()
    document = store_document(
        title, objects, overview.edges, overview.statements, level="table", truncated=overview.truncated
    )
    return document | {"total": overview.total}
