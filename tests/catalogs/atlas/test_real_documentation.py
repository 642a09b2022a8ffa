"""The commands of the README and of docs/atlas.md, on a real server."""

from __future__ import annotations

from pathlib import Path

import atlas_server
import pytest
from pages import ROOT, make_workshop, run_together


@pytest.mark.parametrize("page", ["README.md", "docs/atlas.md"])
def test_commands_with_atlas(page: str, server_url: str, cluster: str, tmp_path: Path) -> None:
    real = {
        "https://atlas.example:21443": server_url,
        "ATLAS_USER=loader": f"ATLAS_USER={atlas_server.USER}",
        "ATLAS_PASSWORD=…": f"ATLAS_PASSWORD={atlas_server.PASSWORD}",
        "--cluster prod": f"--cluster {cluster}",  # tests share the server
    }
    starts = ("export ATLAS", "lineage-connector typedefs", "lineage-connector push atlas")
    printed = run_together(ROOT / page, starts, real, make_workshop(tmp_path))
    assert "sql_process" in printed
