"""Catalogs are known by their protocol alone: a package and a line make one more, for every command."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from connector.catalogs import catalog_names, load_catalog
from connector.catalogs.catalog import Catalog, DeliverySettings
from connector.errors import ConfigurationError

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "connector"
REGISTERED = (
    f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
    "from connector import catalogs\n"
    "catalogs._CATALOGS['paper'] = 'paper_catalog:PaperCatalog'\n"
)


def python(code: str, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A program in which the registry has one line more."""
    command = [sys.executable, "-c", REGISTERED + code, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=240, check=False)


def connector(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return python("from connector.cli import main; main()", *arguments, cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sql").mkdir()
    (tmp_path / "sql" / "load.sql").write_text("insert into o (x) select a from t; insert into p (x) select a from o;")
    (tmp_path / "lineage.yaml").write_text(
        "sources: [files: sql/]\ncatalogs:\n  - {type: paper, url: sheet.txt, pencil: hard, prune: true}\n"
    )
    return tmp_path


def test_push_writes_and_prunes(folder: Path) -> None:
    sheet = folder / "sheet.txt"
    first = connector("push", "paper", "sql", "--url", sheet, "--json", cwd=folder)
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["types"]["line"]["created"] == 2
    assert sheet.read_text() == "o -> p\nt -> o\n"
    assert "Writing on paper: 2" in first.stderr
    again = connector("push", "paper", "sql", "--url", sheet, cwd=folder)
    assert "Nothing has changed" in again.stderr
    (folder / "sql" / "load.sql").write_text("insert into o (x) select a from t;")
    pruned = connector("push", "paper", "sql", "--config", "lineage.yaml", "--yes", cwd=folder)
    assert "to remove: line o -> p" in pruned.stderr, "prune: true stands in the file"
    assert sheet.read_text() == "t -> o\n"
    shown = connector("push", "paper", "sql", "--dry-run", cwd=folder)
    assert (shown.returncode, shown.stdout) == (0, "t -> o\n")


def test_its_flags_are_its_settings(folder: Path) -> None:
    said = connector("push", "paper", "--help", cwd=folder).stdout
    for part in ("--pencil <soft|hard>", "What is written with.", "(PAPER_URL)", "--prune", "--verify", "--timeout"):
        assert part in said
    assert (
        "paper         Analyse SQL scripts and write their lineage to Paper."
        in connector("push", "--help", cwd=folder).stdout
    )
    refused = connector("push", "paper", "sql", cwd=folder)
    assert (refused.returncode, refused.stderr) == (
        2,
        "The address of Paper is missing; set --url, PAPER_URL, or a file with --config.\n",
    )


def test_check_and_the_scheduled_run_know_it(folder: Path) -> None:
    checked = connector("check", "--no-spark", cwd=folder)
    assert checked.returncode == 0, checked.stderr
    assert "ok     paper" in checked.stdout
    assert "there is paper" in checked.stdout
    code = (
        "import json\n"
        "from connector.settings import load_settings, settings_schema\n"
        "(job,) = load_settings('lineage.yaml').jobs\n"
        "from connector.common.progress import NoProgress\n"
        "from connector.pipeline.delivery import deliver_to_catalogs\n"
        "from connector.pipeline.tables import LineageTables\n"
        "print(json.dumps([job.catalogs[0].pencil, 'PaperSettings' in settings_schema()['$defs'],\n"
        "  [each.summary for each in deliver_to_catalogs(job, LineageTables.of(job), NoProgress())]]))\n"
    )
    found = python(code, cwd=folder)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == ["hard", True, [None]]


@pytest.mark.parametrize("name", catalog_names())
def test_the_catalogs_of_the_registry(name: str) -> None:
    catalog = load_catalog(name)
    assert issubclass(catalog, Catalog)
    assert not getattr(catalog, "__abstractmethods__", None)
    assert issubclass(catalog.settings_class, DeliverySettings)
    assert catalog.name == catalog.settings_class.model_fields["type"].default == name
    fields = catalog.settings_class.model_fields
    assert {*catalog.login_flags, *catalog.flags} <= fields.keys()
    assert all(field.description for field in fields.values())


def test_a_name_that_nobody_has() -> None:
    with pytest.raises(ConfigurationError, match="There is no catalog 'stone'; choose from atlas, "):
        load_catalog("stone")


@pytest.mark.parametrize(
    "module",
    [
        *(PACKAGE / "cli").glob("*.py"),
        *(PACKAGE / "settings").glob("*.py"),
        *(PACKAGE / "pipeline").rglob("*.py"),
    ],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_nobody_else_knows_a_catalog_by_name(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant):
            assert node.value not in catalog_names(), f"line {node.lineno}"
        named = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        named += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in named:
            assert not name.startswith(tuple(f"connector.catalogs.{each}" for each in catalog_names())), name
