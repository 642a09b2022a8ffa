"""The tasks that the pipeline runs in its guarded child process.

An order names its function by text, so that who gives orders need not load what carries them out. The child loads all of it
with this module, before time and memory count. Arrow, where it is installed, is used once, because what it takes with its first
array belongs to the process and to no statement; and it is kept from loading pandas and NumPy with that, which would cost more
than all the rest and which are not needed here. OpenMetadata's plugin runs the same tasks without Arrow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from typing import Any

from connector.pipeline.analysing import places_in, work_on
from connector.pipeline.identify import identify_all
from connector.pipeline.units import Work


def _arrow_work(work: Work) -> bytes:
    """The results of some units, as they will be written."""
    from connector.pipeline.arrow import result_bytes

    return result_bytes(work_on(work))


_TASKS: dict[str, Callable[[Any], Any]] = {
    "identify": identify_all,
    "places": places_in,
    "analyse": work_on,
    "analyse into Arrow": _arrow_work,
}


def perform(order: tuple[str, Any]) -> Any:
    """The task of the pipeline's guards: one child for whatever there is to do."""
    name, argument = order
    return _TASKS[name](argument)


class _Without(MetaPathFinder):
    def __init__(self, *names: str) -> None:
        self._names = names

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> None:
        if fullname in self._names:
            raise ModuleNotFoundError(f"{fullname} is not for this process", name=fullname)


if find_spec("pyarrow") is not None:
    sys.meta_path.insert(0, _Without("pandas", "numpy"))

    from connector.pipeline.arrow import result_bytes

    result_bytes([])
