from __future__ import annotations

from cluster_fixtures import connect, environment, expected, hadoop, s3, say, standalone

__all__ = ["connect", "environment", "expected", "hadoop", "s3", "say", "standalone"]
