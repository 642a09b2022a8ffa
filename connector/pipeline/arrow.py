"""Results as Arrow rows, and back: the form in which they leave the workers and lie in the tables.

A result is one row, its model and its levels are lists of structs in it, after the row classes of
:mod:`connector.model.rows` and :mod:`connector.store.level_rows`. Columns are filled and read whole, never cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import pyarrow as pa

from connector.model.rows import ModelRows
from connector.pipeline.results import UnitResult
from connector.store.level_rows import LevelRows


class _Part(NamedTuple):
    """A list of rows in a result."""

    column: str
    owner: str
    """`complete` or `levels`."""
    attribute: str
    row: type[Any]


_RENAMED = {("levels", "columns"): "object_columns", ("levels", "processes"): "statements"}
"""Lists of the levels that have the name of one of the complete model."""
_PARTS = [
    _Part(_RENAMED.get((owner, name), name), owner, name, get_args(annotation)[0])
    for owner, rows in (("complete", ModelRows), ("levels", LevelRows))
    for name, annotation in get_type_hints(rows).items()
    if get_origin(annotation) is list
]
_HEADER = ("vendor", "layers", "default_schema", "cluster")
_PLAIN = ("key", "part", "status", "reason", "message", "source", "origin", "line", "dialect", "size", "texts")


def _type_of(annotation: Any) -> pa.DataType:
    """The Arrow type of a field of a row class."""
    arguments = [argument for argument in get_args(annotation) if argument is not type(None)]
    if get_origin(annotation) is list:
        return pa.list_(_type_of(arguments[0]))
    if arguments:
        return _type_of(arguments[0])
    if hasattr(annotation, "_fields"):
        return pa.struct(_fields_of(annotation))
    plain: dict[Any, pa.DataType] = {int: pa.int32(), str: pa.string(), bool: pa.bool_(), float: pa.float64()}
    return plain[annotation]


def _fields_of(row: type[Any]) -> list[pa.Field]:
    return [pa.field(name, _type_of(annotation)) for name, annotation in get_type_hints(row).items()]


STORED_SCHEMA = pa.schema(
    [
        ("key", pa.string()),
        ("part", pa.int32()),
        ("status", pa.string()),
        ("reason", pa.string()),
        ("message", pa.string()),
        ("source", pa.string()),
        ("origin", pa.string()),
        ("line", pa.int32()),
        ("dialect", pa.string()),
        ("size", pa.int64()),
        ("texts", pa.list_(pa.string())),
        ("vendor", pa.string()),
        ("layers", pa.int32()),
        ("default_schema", pa.string()),
        ("cluster", pa.string()),
        *((part.column, pa.list_(pa.struct(_fields_of(part.row)))) for part in _PARTS),
    ]
)
"""The columns of the table of units."""

RESULT_SCHEMA = STORED_SCHEMA.append(pa.field("seconds", pa.float64()))
"""The same with what the worker has measured."""


def pack_results(results: Sequence[UnitResult]) -> pa.RecordBatch:
    """Some results as one batch."""
    columns: list[pa.Array] = [
        _array([getattr(result, name) for result in results], STORED_SCHEMA.field(name).type) for name in _PLAIN
    ]
    for name in _HEADER:
        values = [None if result.complete is None else getattr(result.complete, name) for result in results]
        columns.append(_array(values, STORED_SCHEMA.field(name).type))
    columns.extend(
        _lists(part, [getattr(getattr(result, part.owner), part.attribute, None) for result in results])
        for part in _PARTS
    )
    columns.append(_array([result.seconds for result in results], pa.float64()))
    return pa.RecordBatch.from_arrays(columns, schema=RESULT_SCHEMA)


def _lists(part: _Part, lists: Sequence[Sequence[tuple[Any, ...]] | None]) -> pa.Array:
    """A column of lists of structs from lists of rows, each field of all rows at once."""
    struct = RESULT_SCHEMA.field(part.column).type.value_type
    rows = [row for each in lists if each for row in each]
    offsets: list[int | None] = []
    at = 0
    for each in lists:
        offsets.append(None if each is None else at)
        at += len(each) if each else 0
    offsets.append(at)
    columns = zip(*rows, strict=True) if rows else ((),) * struct.num_fields
    arrays = [_array(list(values), struct.field(at).type) for at, values in enumerate(columns)]
    values = pa.StructArray.from_arrays(arrays, fields=list(struct))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values)


def _array(values: list[Any], type_: pa.DataType) -> pa.Array:
    try:
        return pa.array(values, type_)
    except UnicodeEncodeError:  # half a surrogate pair, made by an escape in a literal
        return pa.array([_clean(value) for value in values], type_)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, (list, tuple)):
        return [_clean(each) for each in value]
    return value


def result_bytes(results: Sequence[UnitResult]) -> bytes:
    """A batch of results in Arrow's own form, which its reader takes without copying."""
    sink = pa.BufferOutputStream()
    batch = pack_results(results)
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


# --- the way back ---------------------------------------------------------------------------------------------------


def unpack_results(batch: pa.RecordBatch | pa.Table) -> list[UnitResult]:
    """The results of a batch. Times are not kept."""
    plain = [batch.column(name).to_pylist() for name in _PLAIN]
    headers = list(zip(*(batch.column(name).to_pylist() for name in _HEADER), strict=True))
    parts = {part.column: _rows(part, _one_chunk(batch.column(part.column))) for part in _PARTS}
    found: list[UnitResult] = []
    for at, values in enumerate(zip(*plain, strict=True)):
        result = UnitResult(**dict(zip(_PLAIN, values, strict=True)), seconds=0.0)
        if headers[at][0] is not None:
            result.complete = ModelRows(*headers[at])
            result.levels = LevelRows()
            for part in _PARTS:
                setattr(getattr(result, part.owner), part.attribute, parts[part.column][at])
        found.append(result)
    return found


_FOR_CATALOGS = ("ways", "facts", "collapsed")
_FOR_STORE = [part for part in _PARTS if part.owner == "levels" and part.column not in _FOR_CATALOGS]


def unpack_levels(batch: pa.RecordBatch | pa.Table) -> Iterator[LevelRows | None]:
    """What the store reads of the levels; None for a result that has none."""
    lists = [_rows(part, _one_chunk(batch.column(part.column))) for part in _FOR_STORE]
    for at, vendor in enumerate(batch.column("vendor").to_pylist()):
        rows = None if vendor is None else LevelRows()
        if rows is not None:
            for part, each in zip(_FOR_STORE, lists, strict=True):
                setattr(rows, part.attribute, each[at])
        yield rows


LEVEL_COLUMNS = ["key", "part", "vendor", *(part.column for part in _FOR_STORE)]
"""What `unpack_levels` needs of a table, and what its rows are sorted by."""


def _one_chunk(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _rows(part: _Part, column: pa.Array) -> list[list[Any]]:
    """Lists of rows from a column of lists of structs, each field of all rows at once."""
    if isinstance(column, pa.ChunkedArray):  # combine_chunks leaves an empty one as it is
        return []
    offsets = column.offsets.to_pylist()
    values = column.values
    fields = [_values(values.field(at), annotation) for at, annotation in enumerate(get_type_hints(part.row).values())]
    make = part.row._make
    rows = [make(row) for row in zip(*fields, strict=True)]
    return [rows[start:end] for start, end in pairwise(offsets)]


def _values(array: pa.Array, annotation: Any) -> list[Any]:
    values: list[Any] = array.to_pylist()
    inner = get_args(annotation)
    if get_origin(annotation) is list and hasattr(inner[0], "_fields"):
        return [[inner[0](**each) for each in value] for value in values]
    return values
