"""Views that are used before the text defines them."""

from __future__ import annotations

from pathlib import Path

import pytest

from connector.api import analyze_scripts, read_metadata
from connector.model import Script
from connector.sql import split
from connector.sql.dialects import get_dialect


def _edges(*texts: str, dialect: str = "postgresql") -> set[str]:
    scripts = [Script(text, number, f"{number}.sql") for number, text in enumerate(texts)]
    column = analyze_scripts(scripts, dialect).to_dict(level="column")
    return {
        f"{edge['source']['table']}.{edge['source']['column']} -> {edge['target']['table']}.{edge['target']['column']}"
        for edge in column["relations"]
        if edge["type"] == "fdd"
    }


def test_a_star_over_a_view_of_a_later_file() -> None:
    found = _edges("create view a as select * from b", "create view b as select x, max(y) from t group by x")
    assert found == {"b.x -> a.x", "b.max -> a.max", "t.x -> b.x", "t.y -> b.max"}


def test_a_chain_of_views_from_last_to_first() -> None:
    found = _edges(
        "insert into o select * from v1",
        "create view v1 as select * from v2",
        "create view v2 as select * from v3",
        "create view v3 as select a, b from t",
    )
    assert {"v1.a -> o.a", "v2.b -> v1.b", "v3.a -> v2.a", "t.b -> v3.b"} <= found


def test_a_chain_of_views_in_a_script_that_is_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
        insert into o select * from v1;
        create view v1 as select * from v2;
        create or replace view v1 as select a, b, c from v2;
        create view v2 as select a, b, t.c from v3 join t using (a);
        create view v3 as select a, b from t;
    """
    whole = _edges(text)
    monkeypatch.setattr(split, "_LARGE", 0)
    monkeypatch.setattr(split, "_PART", 60)
    assert len(list(split.read_in_parts(Script(text), get_dialect("postgresql")))) > 3
    assert _edges(text) == whole
    assert {"v1.a -> o.a", "v1.c -> o.c", "v2.b -> v1.b", "v3.b -> v2.b", "t.b -> v3.b"} <= whole


def test_unqualified_columns_find_the_view_that_has_them() -> None:
    found = _edges(
        "insert into o select a, c from v join u using (k)",
        "create table u (k int, c int)",
        "create view v as select k, a from t",
    )
    assert {"v.a -> o.a"} <= found


def test_what_the_script_created_before_is_known_to_the_later_view() -> None:
    found = _edges(
        "create table t (a int, b int); insert into o select * from v; create view v as select t.*, 1 as n from t"
    )
    assert {"v.a -> o.a", "v.b -> o.b", "v.n -> o.n"} <= found


def test_views_that_need_each_other_end() -> None:
    found = _edges("create view a as select * from b; create view b as select * from a")
    assert found == {"b.* -> a.*", "a.* -> b.*"}


def test_words_in_comments_define_nothing() -> None:
    found = _edges("insert into o select * from v; -- create view v as select a from t\nselect 'create view v as'")
    assert found == {"v.* -> o.*"}


def test_quoted_and_qualified_names() -> None:
    found = _edges(
        'insert into o select * from s."My View"; create materialized view if not exists s."My View" as select a from t'
    )
    assert 's."My View".a -> o.a'.replace('s."My View"', "My View") in found


def test_a_chain_of_views_may_be_long() -> None:
    texts = [f"create view v{n} as select * from v{n + 1}" for n in range(300)]
    found = _edges(*texts, "create view v300 as select a from t")
    assert "v1.a -> v0.a" in found


def test_ddl_as_metadata_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("create view a as select * from b;")
    (tmp_path / "b.sql").write_text("create view b as select x, y from t;")
    found = read_metadata(tmp_path, "postgresql").describe(None, None, "a")
    assert found is not None
    assert found.columns == ("x", "y")
