"""An S3 server for tests, started and stopped by them."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.machine import free_port

BUCKET = "lake"


@contextmanager
def s3_server() -> Iterator[dict[str, str]]:
    """A server with one bucket, for the time of a block; the options to reach it."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _make_bucket(url, server)
            yield {
                "AWS_ENDPOINT_URL": url,
                "AWS_ALLOW_HTTP": "true",
                "AWS_REGION": "us-east-1",
                "AWS_ACCESS_KEY_ID": "tester",
                "AWS_SECRET_ACCESS_KEY": "hunter2",
            }
        finally:
            server.terminate()


def _make_bucket(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(urllib.request.Request(f"{url}/{BUCKET}", method="PUT"), timeout=10):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            assert server.poll() is None, "the S3 server has ended"
            time.sleep(0.2)
    raise AssertionError("the S3 server does not answer")
