from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from cluster_fixtures import connect, environment, expected, hadoop, s3, say, standalone

__all__ = ["connect", "environment", "expected", "hadoop", "s3", "say", "standalone"]
