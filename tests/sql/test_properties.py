"""Whatever the text: reading never fails, and what it finds lies in the text, in order."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from connector.model import Script
from connector.sql.dialects import get_dialect, supported_dialects
from connector.sql.harmless import moves_no_data
from connector.sql.identity import mask_literals, shape
from connector.sql.split import read_statements
from connector.sql.tolerant import read_tables

PIECES = """
select|insert into|update|delete from|merge into|create|procedure|function|trigger|view|table|as|is|begin|end|declare|if|then|else
case|when|loop|while|for|do|end if|end loop|go|/|;|(|)|,|.|'|"|`|[|]|$$|$a$|q'[|]'|--|/*|*/|#|\\|@|&|%|{{ ref('a') }}|{{|}}|{% if x %}
{% else %}|{% endif %}|${a}|%(b)s|:c|?|from|join|using|where|group by|order by|union all|with|values|set|on|into|exec|try|catch
delimiter //|//|\\copy x|.logon|:setvar|!set|prompt it's|set echo on|%sql|-- COMMAND ----------|a|b.c|1|'x'|N'y'|over|partition by
""".replace("\n", "|").split("|")


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(supported_dialects()),
    st.lists(
        st.tuples(st.sampled_from([piece for piece in PIECES if piece]), st.sampled_from([" ", "\n", "", "\r\n"])),
        max_size=40,
    ),
)
def test_reading_never_fails(name: str, pieces: list[tuple[str, str]]) -> None:
    text = "".join(piece + gap for piece, gap in pieces)
    dialect = get_dialect(name)
    result = read_statements(Script(text), dialect)
    behind = 0
    for found in result.statements:
        # The statements of a template's other branches follow those of the first, and may begin before them.
        assert behind <= found.start or "{%" in text
        assert found.start < found.end <= found.span_end <= len(text)
        assert found.tokens
        assert text[found.start : found.end] == found.text
        behind = found.end
        for offset in range(found.start, found.end):
            found.index.select_items(offset)
            found.index.enclosing_items(offset)
        read_tables(found, dialect)
        moves_no_data(found)
        shape(found)
        mask_literals(found.text, dialect)
    for problem in result.problems:
        _, start, end = problem.span
        assert 0 <= start <= end <= len(text)
    again = read_statements(Script(text), dialect)
    assert [found.text for found in again.statements] == [found.text for found in result.statements]
