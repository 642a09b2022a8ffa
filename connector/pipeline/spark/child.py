"""The guarded child of a Spark worker. It alone loads this module.

Everything that its tasks need is loaded here, before time and memory count. Arrow is used once, because what it takes with its
first array belongs to the process and to no statement; and it is kept from loading pandas with that, which would cost more
than all the rest and which nobody here asks for.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from typing import Any

from connector.pipeline.spark.tasks import result_bytes
from connector.pipeline.tasks import perform

__all__ = ["perform"]


class _WithoutPandas(MetaPathFinder):
    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is not for this process", name=fullname)


sys.meta_path.insert(0, _WithoutPandas())
result_bytes([])
