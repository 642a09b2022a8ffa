"""Converts lists of Python values to Arrow arrays, built from their buffers, and back.

`pyarrow.array` does the same, but imports pandas first to check whether the values are pandas objects: a second of processor time
and 60 MB in each Spark worker, most of which do not use pandas otherwise. Arrow does the same when it first converts a timestamp
to Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from itertools import accumulate, chain
from typing import Any

import numpy as np
import pyarrow as pa

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)


def record_batch(columns: Sequence[Sequence[Any]], schema: pa.Schema) -> pa.RecordBatch:
    """A batch of columns in the order of the schema."""
    arrays = [column_of(values, type_) for values, type_ in zip(columns, schema.types, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def column_of(values: Sequence[Any], type_: pa.DataType) -> pa.Array:
    """Text, bytes, integers, booleans, timestamps in microseconds, or lists of these; None is null."""
    valid = _bits([value is not None for value in values]) if None in values else None
    if pa.types.is_list(type_):
        lists = [() if value is None else value for value in values]
        inner = column_of(list(chain.from_iterable(lists)), type_.value_type)
        return pa.Array.from_buffers(type_, len(values), [valid, _offsets(lists)], children=[inner])
    if pa.types.is_string(type_):
        texts = [b"" if value is None else value.encode("utf-8", "replace") for value in values]
        return pa.Array.from_buffers(type_, len(values), [valid, _offsets(texts), pa.py_buffer(b"".join(texts))])
    if pa.types.is_binary(type_):
        blobs = [b"" if value is None else value for value in values]
        return pa.Array.from_buffers(type_, len(values), [valid, _offsets(blobs), pa.py_buffer(b"".join(blobs))])
    if pa.types.is_boolean(type_):
        return pa.Array.from_buffers(type_, len(values), [valid, _bits([bool(value) for value in values])])
    if pa.types.is_timestamp(type_):
        values = [None if value is None else (value - _EPOCH) // _MICROSECOND for value in values]
    elif not pa.types.is_int64(type_):
        raise TypeError(f"no column of {type_}")
    numbers = np.array([0 if value is None else value for value in values], np.int64)
    return pa.Array.from_buffers(type_, len(values), [valid, pa.py_buffer(numbers)])


def values_of(column: pa.Array) -> list[Any]:
    """The values of a column as Python objects."""
    type_ = column.type
    if pa.types.is_timestamp(type_) and type_.unit == "us" and type_.tz == "UTC":
        numbers: list[int | None] = column.view(pa.int64()).to_pylist()
        return [None if number is None else _EPOCH + number * _MICROSECOND for number in numbers]
    values: list[Any] = column.to_pylist()
    return values


def _bits(values: list[bool]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(np.array(values, np.bool_), bitorder="little"))


def _offsets(pieces: Sequence[Any]) -> pa.Buffer:
    return pa.py_buffer(np.array(list(accumulate(map(len, pieces), initial=0)), np.int32))
