"""What the guarded child of a Spark worker does. Arrow is loaded with it, and results leave it as Arrow."""

from __future__ import annotations

from typing import Any

from connector.pipeline.analysing import Work, work_on
from connector.pipeline.arrow import result_bytes
from connector.pipeline.tasks import Order
from connector.pipeline.tasks import perform as perform_any

__all__ = ["arrow_work", "perform"]


def perform(order: Order[Any]) -> Any:
    """The task of the guard."""
    return perform_any(order)


def arrow_work(work: Work) -> bytes:
    """The results of some units, as they will be written."""
    return result_bytes(work_on(work))
