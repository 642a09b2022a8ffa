"""The parser as the pipeline uses it, for the guarded child."""

from __future__ import annotations

import gc
import mmap

import sqlglot


def parse(order: tuple[str, int]) -> int:
    """Parse a text, after some library has reserved so many megabytes of addresses, and tell how many statements it has.

    The collector waits, as it does in the pipeline: what the parser has tried and thrown away stays until the end.
    """
    sql, reserved_mb = order
    gc.disable()
    with mmap.mmap(-1, (reserved_mb << 20) + 1, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS):
        return len(sqlglot.parse(sql, dialect="snowflake"))
