"""What a pull request is told: `diff --format markdown`, revisions of git, the pre-commit hooks and the CI example."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}
BEFORE = """\
create table raw.sales (id int, amount numeric, note text);
create view mart.v_sales as select id, amount * 2 as total from raw.sales;
create view mart.gone as select note from raw.sales;
"""
AFTER = """\
create table raw.sales (id int, amount numeric, note text);
create view mart.v_sales as
select id, amount * 3 as total, refund_eur from raw.sales where note || 'x' > 'a';
"""
COMMENT = """\
### Lineage

2 added, 1 removed, 1 changed.

**`mart.gone`**

| | source | column | kind | expression | statement |
|---|---|---|---|---|---|
| removed | `raw.sales.note` | `note` | identity | `note` | {old}:3 |

**`mart.v_sales`**

| | source | column | kind | expression | statement |
|---|---|---|---|---|---|
| added | `raw.sales.note` | `(rows)` | filter |  | sql/load.sql:2 |
| added | `(unknown table).refund_eur` | `refund_eur` | identity | `refund_eur` | sql/load.sql:2 |
| changed | `raw.sales.amount` | `total` | transformation | `amount * 2` → `amount * 3` | sql/load.sql:2 |

**Problems**

- raw.sales has no column refund\\_eur (sql/load.sql:3)
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose working tree is one change ahead of its only commit, which is tagged `base`."""
    script = tmp_path / "sql" / "load.sql"
    script.parent.mkdir()
    script.write_text(BEFORE, encoding="utf-8")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "base"], ["tag", "base"]):
        subprocess.run([*git, *arguments], cwd=tmp_path, check=True)
    script.write_text(AFTER, encoding="utf-8")
    return tmp_path


def shell(command: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a command as a hook or a CI step does, with our scripts on the PATH."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=cwd,
        env={**os.environ, **variables, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_ci_example_writes_the_comment(repository: Path) -> None:
    workflow = yaml.safe_load((ROOT / "examples" / "pull-request" / "github-actions.yml").read_text(encoding="utf-8"))
    (compare,) = [step["run"] for step in workflow["jobs"]["lineage"]["steps"] if step.get("name") == "Compare"]
    done = shell(compare, repository, BASE="base", DIALECT="postgresql")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert (repository / "lineage.md").read_text(encoding="utf-8") == COMMENT.format(old="base:sql/load.sql")


def test_no_changes(repository: Path) -> None:
    done = shell("lineage-connector diff base:sql base:sql -d postgresql -f markdown", repository)
    assert done.stdout == "### Lineage\n\nNo changes.\n"


def test_a_path_that_a_revision_does_not_have_is_new(repository: Path) -> None:
    (repository / "more.sql").write_text("insert into o (x) select a from t", encoding="utf-8")
    done = shell("lineage-connector diff base:more.sql more.sql -q", repository)
    assert done.stdout == "+ default.default.t.a -> default.default.o.x  (more.sql:1)\n"


def test_an_expression_on_several_lines_with_bars_and_ticks(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("insert into o (x) select a from t", encoding="utf-8")
    (tmp_path / "b.sql").write_text("insert into o (x) select a ||\n `a` from t", encoding="utf-8")
    done = shell("lineage-connector diff a.sql b.sql -d bigquery -f markdown", tmp_path)
    assert "| changed | `t.a` | `x` | transformation | `a` → `` a \\|\\| `a` `` | b.sql:1 |" in done.stdout


def test_the_diff_hook_shows_what_a_commit_changes(repository: Path) -> None:
    hook = HOOKS["lineage-diff"]
    assert hook["pass_filenames"] is False
    done = shell(f"{hook['entry']} --dialect postgresql", repository)
    assert done.returncode == 0, done.stderr
    assert "! default.raw.sales.amount -> default.mart.v_sales.total  (sql/load.sql:2)" in done.stdout
    assert shell(f"{hook['entry']} --dialect postgresql --exit-code", repository).returncode == 1


def test_the_check_hook_fails_for_what_cannot_be_read(repository: Path) -> None:
    entry = f"{HOOKS['lineage-check']['entry']} --dialect postgresql"
    script = repository / "sql" / "load.sql"
    assert shell(f"{entry} {shlex.quote(str(script))}", repository).returncode == 0
    script.write_text("insert into o (x) select from where", encoding="utf-8")
    done = shell(f"{entry} {shlex.quote(str(script))}", repository)
    assert done.returncode == 1
    assert f"{script}:1:" in done.stderr
