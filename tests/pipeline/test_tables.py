"""What counts in the folder of tables, and what does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from connector.errors import ConfigurationError, UnavailableError
from connector.pipeline.tables import Commit, TableFolder, final_groups, open_commits, sources_read


def add(tables: TableFolder, run: str, *, final: bool = False, committed: bool = True) -> Commit:
    commit = Commit(tables.next_sequence(), run, final=final)
    folder = tables.new_folder("units", commit)
    folder.mkdir(parents=True)
    (folder / "part.parquet").write_text(run, encoding="utf-8")
    if committed:
        tables.commit(commit)
    return commit


def test_only_what_is_committed_counts(tmp_path: Path) -> None:
    tables = TableFolder(tmp_path)
    with tables.only_run():
        kept = add(tables, "a")
        lost = add(tables, "b", committed=False)
        assert [folder.name for folder in tables.folders("units")] == [kept.name]
        assert tables.clean() == [f"units/{lost.name}"]
        assert sorted(folder.name for folder in (tmp_path / "units").iterdir()) == [kept.name]


def test_a_commit_that_was_cut_off_does_not_count(tmp_path: Path) -> None:
    tables = TableFolder(tmp_path)
    with tables.only_run():
        add(tables, "a")
        (tmp_path / "_commits" / "00000002-b.json.part").write_text('{"sequence": 2', encoding="utf-8")
        assert [commit.run for commit in tables.commits()] == ["a"]
        tables.clean()
        assert len(list((tmp_path / "_commits").iterdir())) == 1


def test_what_a_run_has_analysed_is_delivered_with_its_last_commit(tmp_path: Path) -> None:
    tables = TableFolder(tmp_path)
    with tables.only_run():
        for run, final in (("a", False), ("a", True), ("b", False), ("c", False), ("c", True), ("d", False)):
            add(tables, run, final=final)
        groups = final_groups(tables.commits())
    assert [[commit.run for commit in group] for group in groups] == [["a", "a"], ["b", "c", "c"]]


def test_deliveries_are_remembered_for_each_receiver(tmp_path: Path) -> None:
    tables = TableFolder(tmp_path)
    with tables.only_run():
        one, two = add(tables, "a"), add(tables, "b")
        tables.mark_delivered("atlas http://x", [one])
        tables.mark_delivered("atlas http://x", [two])
        assert tables.delivered("atlas http://x") == {one.name, two.name}
        assert tables.delivered("atlas http://y") == set()


def test_the_latest_word_about_a_source_counts(tmp_path: Path) -> None:
    commits = [Commit(1, "a", sources={"x": 1, "y": 1}), Commit(2, "b", sources={"x": 2})]
    assert sources_read(commits) == {"x": 2, "y": 1}


def test_a_second_run_is_refused_and_told_whose_turn_it_is(tmp_path: Path) -> None:
    with TableFolder(tmp_path).only_run():
        program = (
            "import sys; from pathlib import Path; from connector.pipeline.tables import TableFolder\n"
            "with TableFolder(Path(sys.argv[1])).only_run(): pass\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 1
        assert "Another run works on" in done.stderr
        with pytest.raises(UnavailableError, match="Try again"), TableFolder(tmp_path).only_run():
            pass
    with TableFolder(tmp_path).only_run():
        pass


def test_tables_of_another_version_are_refused(tmp_path: Path) -> None:
    (tmp_path / "_version").write_text("99", encoding="ascii")
    with pytest.raises(ConfigurationError, match="version 99"), TableFolder(tmp_path).only_run():
        pass


def test_what_waits_for_its_last_commit(tmp_path: Path) -> None:
    commits = [Commit(1, "a"), Commit(2, "a", final=True), Commit(3, "b"), Commit(4, "b")]
    assert [commit.sequence for commit in open_commits(commits)] == [3, 4]
    assert open_commits(commits[:2]) == []
