"""The embedded store: objects, columns, statements and edges in SQLite or PostgreSQL.

>>> from connector import analyze
>>> from connector.store import Store
>>> with Store.open("lineage.db") as store:  # doctest: +SKIP
...     store.load(analyze("insert into o (x) select a from t"))
...     store.upstream("o").nodes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connector.common.lazy import lazy_names

if TYPE_CHECKING:
    from connector.store.reading.records import Direction
    from connector.store.store import QUERY_SECONDS, ProcessRecord, Store, StoredEdge, TooSlowError
    from connector.store.summary import Counts, LoadSummary
    from connector.store.trace import Step, Trace, TraceNode, TraceProcess
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "store": ("QUERY_SECONDS", "ProcessRecord", "Store", "StoredEdge", "TooSlowError"),
            "summary": ("Counts", "LoadSummary"),
            "trace": ("Direction", "Step", "Trace", "TraceNode", "TraceProcess"),
        },
    )

__all__ = [
    "QUERY_SECONDS",
    "Counts",
    "Direction",
    "LoadSummary",
    "ProcessRecord",
    "Step",
    "Store",
    "StoredEdge",
    "TooSlowError",
    "Trace",
    "TraceNode",
    "TraceProcess",
]
