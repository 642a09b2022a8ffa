"""The embedded store: objects, columns, statements and edges in SQLite or PostgreSQL.

>>> from connector import analyze
>>> from connector.store import Store
>>> with Store.open("lineage.db") as store:  # doctest: +SKIP
...     store.load(analyze("insert into o (x) select a from t"))
...     store.upstream("o").nodes
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from connector.store.lookup import Named
    from connector.store.store import ProcessRecord, Store, StoredEdge
    from connector.store.summary import Counts, LoadSummary
    from connector.store.trace import Direction, Step, Trace, TraceNode, TraceProcess

__all__ = [
    "Counts",
    "Direction",
    "LoadSummary",
    "Named",
    "ProcessRecord",
    "Step",
    "Store",
    "StoredEdge",
    "Trace",
    "TraceNode",
    "TraceProcess",
]

_MODULES = {
    "lookup": ("Named",),
    "store": ("ProcessRecord", "Store", "StoredEdge"),
    "summary": ("Counts", "LoadSummary"),
    "trace": ("Direction", "Step", "Trace", "TraceNode", "TraceProcess"),
}


def __getattr__(name: str) -> Any:
    """Load what is asked for. A worker that only makes rows for a store (`portable`) need not wait for SQLAlchemy."""
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
