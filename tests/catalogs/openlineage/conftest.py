"""A service that collects OpenLineage events, on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from collecting_service import Collector, collecting_service


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting_service() as found:
        yield found
