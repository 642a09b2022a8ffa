"""A service that collects OpenLineage events, on loopback."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from collecting_service import Collector, collecting_service


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting_service() as found:
        yield found
