"""The commands of docs/openmetadata.md that write lineage, run as they stand with the address of the test server."""

from __future__ import annotations

import sys
from pathlib import Path

from server import OpenMetadataServer

sys.path.insert(0, str(Path(__file__).parents[1]))

from pages import ROOT, make_workshop, run_together


def test_commands_with_openmetadata(server: OpenMetadataServer, tmp_path: Path) -> None:
    real = {
        "https://openmetadata.example:8585": server.url,
        "OPENMETADATA_TOKEN=…": f"OPENMETADATA_TOKEN={server.token()}",
    }
    starts = ("export OPENMETADATA", "lineage-connector push openmetadata")
    printed = run_together(ROOT / "docs" / "openmetadata.md", starts, real, make_workshop(tmp_path))
    assert "edge" in printed.lower()
