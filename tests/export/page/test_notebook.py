"""The picture of a lineage in a notebook: the same page, without the layout engine."""

from __future__ import annotations

from looking import box, lit_columns, row, settle

from connector import analyze

SQL = """create view b as select a.x, a.y from a;
create view c as select b.x, d.z from b join d on d.x = b.x;"""


def test_a_notebook_shows_the_picture(open_page, tmp_path):
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><title>Notebook</title>{analyze(SQL)._repr_html_()}", encoding="utf-8")
    notebook = open_page(file, ready=False)
    frame = notebook.frames[1]
    frame.evaluate("lineagePage.ready")
    settle(frame)
    lefts = [float(box(frame, name).get_attribute("x") or 0) for name in ("a", "b", "c")]
    assert lefts == sorted(set(lefts))
    row(frame, "c", "x").click()
    settle(frame)
    assert lit_columns(frame) >= {"a.x", "b.x", "c.x"}
