"""The commands of docs/serve.md, and what they answer."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from live_server import running
from pages import ROOT, commands, console_blocks, make_workshop, run

PAGES = [ROOT / "README.md", ROOT / "docs" / "serve.md"]


def shown(start: str) -> list[str]:
    found = [
        command
        for page in PAGES
        for block in console_blocks(page)
        for command, _ in commands(block)
        if command.startswith(start)
    ]
    assert found, start
    return found


def test_the_servers_of_the_pages_start_and_answer(tmp_path: Path) -> None:
    workshop = make_workshop(tmp_path)
    store = workshop / "lineage.db"
    assert (
        run("lineage-connector load examples/warehouse --dialect snowflake --store lineage.db", workshop).returncode
        == 0
    )
    (token,) = shown("openssl rand")
    assert run(token, workshop).returncode == 0
    for command in shown("lineage-connector serve"):
        arguments = shlex.split(command)[2:]
        places = {"lineage.db": str(store), "token": str(workshop / "token")}
        with running(*[places.get(each, each) for each in arguments], BROWSER="true") as server:
            if "--token-file" in arguments:
                continue  # it has started; the programs of the page ask the one without
            for question in shown("curl "):
                asked = run(question.replace("http://127.0.0.1:8080", f"http://127.0.0.1:{server.port}"), workshop)
                assert asked.returncode == 0, asked.stderr
                answer = json.loads(asked.stdout)
                assert "error" not in answer, answer
