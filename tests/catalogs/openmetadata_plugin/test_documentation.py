"""The commands of docs/openmetadata.md that write lineage, run as they stand with the address of the test server."""

from __future__ import annotations

import re
from pathlib import Path

from pages import ROOT, make_workshop, run_together
from server import OpenMetadataServer


def test_commands_with_openmetadata(server: OpenMetadataServer, tmp_path: Path) -> None:
    real = {
        "https://openmetadata.example:8585": server.url,
        "OPENMETADATA_TOKEN=…": f"OPENMETADATA_TOKEN={server.token()}",
    }
    starts = ("export OPENMETADATA", "lineage-connector push openmetadata")
    # The server is empty, and the shipped mapping creates no tables: all of them are reported as missing, with exit code 1.
    printed = run_together(ROOT / "docs" / "openmetadata.md", starts, real, make_workshop(tmp_path), code=1)
    missing, failed = re.findall(r"^edge +- +- +- +- +(\S+) +(\S+)$", printed, re.M)[-1]
    assert int(missing) > 20
    assert failed == "-"
