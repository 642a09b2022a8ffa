"""What Spark's workers let their guarded children do: results leave these as Arrow."""

from __future__ import annotations

from connector.pipeline.analysing import Work, work_on
from connector.pipeline.arrow import result_bytes

__all__ = ["arrow_work", "result_bytes"]


def arrow_work(work: Work) -> bytes:
    """The results of some units, as they will be written."""
    return result_bytes(work_on(work))
