from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from connector.errors import SourceError
from connector.sql.encoding import read_scripts, read_text

TEXT = "select 'größe', 'naïve' from straße;\r\nselect 2 from t;\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"]
)
def test_encodings(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "a.sql"
    file.write_bytes(TEXT.encode(encoding))
    assert read_text(file) == TEXT


def test_big_endian_with_mark(tmp_path: Path) -> None:
    file = tmp_path / "a.sql"
    file.write_bytes(b"\xfe\xff" + TEXT.encode("utf-16-be"))
    assert read_text(file) == TEXT


def test_bytes_that_are_no_text_are_read_somehow(tmp_path: Path) -> None:
    file = tmp_path / "a.sql"
    file.write_bytes(bytes(range(256)))
    assert "ABC" in read_text(file)


def test_a_folder_is_read_recursively_in_order(tmp_path: Path) -> None:
    for name in ("b.sql", "sub/a.DDL", "a.hql", "x.md", "sub/p.pkb"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"select '{name}'")
    scripts = read_scripts([tmp_path])
    assert [Path(script.name).relative_to(tmp_path).as_posix() for script in scripts] == [
        "a.hql",
        "b.sql",
        "sub/a.DDL",
        "sub/p.pkb",
    ]
    assert [script.index for script in scripts] == [0, 1, 2, 3]


def test_a_file_named_by_the_caller_may_have_any_name(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("select 1")
    (script,) = read_scripts([str(tmp_path / "x.md")])
    assert script.text == "select 1"


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("select 'é'".encode())))
    (script,) = read_scripts(["-"])
    assert (script.text, script.name) == ("select 'é'", "-")


def test_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"missing\.sql"):
        read_scripts([tmp_path / "missing.sql"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="empty"):
        read_scripts([tmp_path / "empty"])


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        (
            "cp1251",
            "-- Выборка заказов за последний день для отчета продаж\nselect имя, сумма from заказы where дата = 'вчера';\n",
        ),
        (
            "gb18030",
            "-- 查询最近一天的销售订单报告数据\nselect 姓名, 金额 from 订单表 where 日期 = '昨天' and 状态 = '已完成';\n",
        ),
        (
            "cp932",
            "-- 昨日の注文データを集計するクエリです\nselect 名前, 金額 from 注文テーブル where 日付 = 'きのう';\n",
        ),
    ],
)
def test_alphabets_of_their_own(tmp_path: Path, encoding: str, text: str) -> None:
    file = tmp_path / "a.sql"
    file.write_bytes(text.encode(encoding))
    assert read_text(file) == text
