"""Exit codes and messages when something is wrong."""

from __future__ import annotations

import json
import re

import pytest


def test_a_broken_statement_is_listed_and_the_others_are_analysed(run, broken):
    result = run("analyze", broken, "-f", "json", "-l", "table")
    assert result.exit_code == 1
    assert re.search(rf"^{re.escape(str(broken))}:3:\d+: \S.*", result.stderr, re.MULTILINE)
    pairs = {(edge["source"]["table"], edge["target"]["table"]) for edge in json.loads(result.stdout)["relations"]}
    assert pairs >= {("orders", "orders"), ("customers", "customers")}


@pytest.mark.parametrize("limits", [(), ("--timeout", "60")])
def test_a_problem_is_printed_once(run, broken, limits):
    result = run("analyze", broken, *limits)
    assert result.exit_code == 1
    assert len(re.findall(rf"{re.escape(str(broken))}:3:", result.stdout + result.stderr)) == 1


def test_stdin_has_a_name_in_messages(run, broken):
    result = run("analyze", "-", "-f", "json", stdin=broken.read_bytes())
    assert re.search(r"^<stdin>:3:\d+: ", result.stderr, re.MULTILINE)


def test_quiet_says_nothing_but_the_exit_code_stays(run, broken):
    result = run("analyze", broken, "-f", "json", "--quiet")
    assert result.exit_code == 1
    assert result.stderr == ""
    assert json.loads(result.stdout)["errors"]


def test_verbose_says_what_is_done_on_stderr_only(run, load):
    plain = run("analyze", load, "-f", "json")
    wordy = run("analyze", load, "-f", "json", "--verbose")
    assert wordy.exit_code == 0
    assert wordy.stdout == plain.stdout
    assert "1 script" in wordy.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--dialect", "klingon"), ["klingon", "snowflake", "postgresql"]),
        (("--dialect", "mdx"), ["mdx", "snowflake"]),
        (("--format", "papyrus"), ["papyrus", "json", "xml"]),
        (("--format", "csv", "--level", "complete"), ["csv", "complete", "column"]),
        (("--level", "galaxy"), ["galaxy", "complete"]),
        (("--metadata", "missing.json"), ["missing.json"]),
        (("--out", "missing/folder/out.txt"), ["missing/folder/out.txt"]),
        (("--quiet", "--verbose"), ["--quiet", "--verbose"]),
        (("--no-such-flag",), ["--no-such-flag"]),
        (("missing.sql",), ["missing.sql"]),
    ],
)
def test_wrong_usage_is_exit_code_2_and_says_what_would_be_right(run, load, arguments, said):
    result = run("analyze", load, *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    for word in said:
        assert word in result.stderr
    assert "Traceback" not in result.stderr


def test_a_metadata_file_that_is_none_is_named_with_its_reason(run, load, tmp_path):
    metadata = tmp_path / "tables.json"
    metadata.write_text('{"raw.orders": ', encoding="utf-8")
    result = run("analyze", load, "--metadata", metadata)
    assert result.exit_code == 2
    assert str(metadata) in result.stderr


def test_a_wrong_call_leaves_the_output_file_alone(run, load, tmp_path):
    out = tmp_path / "lineage.json"
    out.write_text("yesterday's", encoding="utf-8")
    assert run("analyze", load, "-d", "klingon", "-f", "json", "-o", out).exit_code == 2
    assert out.read_text(encoding="utf-8") == "yesterday's"


def test_notes_do_not_count_as_failures(run):
    sql = "insert into o (x) select x from t, u"
    result = run("analyze", "-", "-f", "json", "--link-orphans", stdin=sql)
    assert result.exit_code == 0
    assert ": note: " in result.stderr


def test_no_command_shows_the_commands(run):
    result = run()
    assert result.exit_code == 2
    assert "analyze" in result.output


@pytest.mark.parametrize(("out", "code"), [("/dev/full", 3), ("/proc/version", 2), ("/nowhere/lineage.txt", 2)])
def test_a_file_that_cannot_be_written(run, load, out, code):
    """A full disk may have room later; everything else has to be changed first."""
    result = run("analyze", load, "--out", out)
    assert result.exit_code == code, result.output
    assert result.stderr.startswith(f"Cannot write {out}: ")
    assert len(result.stderr.splitlines()) == 1
