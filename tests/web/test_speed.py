"""Half a second for a script of two hundred lines, from the request to the last byte of the answer."""

from __future__ import annotations

import time

import httpx2
from busyness import busyness
from scripts import script_of

LIMIT = 0.5


def test_two_hundred_lines_within_half_a_second(live):
    sql = script_of(200)
    assert len(sql.splitlines()) >= 200
    with httpx2.Client(base_url=live.address, timeout=60) as client:
        client.post("api/analyze", json={"sql": sql, "dialect": "snowflake"})
        taken = []
        for at in range(5):
            asked = {"sql": f"{sql}\n-- {at}", "dialect": "snowflake"}
            before = busyness()
            begun = time.perf_counter()
            answer = client.post("api/analyze", json=asked)
            taken.append((time.perf_counter() - begun) / max(before, busyness()))
            assert answer.status_code == 200
            assert len(answer.json()["levels"]["column"]) > 80
    assert min(taken) < LIMIT, taken
