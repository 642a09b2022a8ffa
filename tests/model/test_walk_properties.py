"""The fast walk against a slow one that follows the rules word by word, on graphs with every kind of knot."""

from __future__ import annotations

from hand_made import Builder
from hypothesis import given
from hypothesis import strategies as st

from connector.model import Column, Model
from connector.model.levels import column_level

ENDS = [f"t{number}.{column}" for number in range(2) for column in "ab"]
BETWEEN = [f"R{number}.{column}" for number in range(4) for column in "ab"]
relation = st.tuples(
    st.lists(st.sampled_from(ENDS + BETWEEN), min_size=1, max_size=3),
    st.sampled_from(ENDS + BETWEEN),
    st.sampled_from(["fdd", "fdr"]),
    st.integers(0, 1),
)


def build(relations: list[tuple[list[str], str, str, int]]) -> Model:
    made = Builder()
    processes = [made.process("Insert"), made.process("Update")]
    for number in range(2):
        made.entity(f"t{number}")
    for number in range(4):
        made.entity(f"R{number}", "resultset", "select_list")
    for sources, target, kind, process in relations:
        made.relation(" ".join(sources), target, processes[process], kind)
    return made.model


def expected(model: Model) -> set[tuple[str, str, str, str]]:
    """All chains by brute force: what each column between holds and is influenced by, until nothing new is found."""
    direct: dict[Column, set[Column]] = {}
    impact: dict[Column, set[Column]] = {}

    def known(column: Column, table: dict[Column, set[Column]]) -> set[Column]:
        if column.entity.permanent:
            return {column} if table is direct else set()
        return table.get(column, set())

    grown = True
    while grown:
        grown = False
        for one in model.relations:
            if one.target.entity.permanent:
                continue
            for source in one.sources:
                through = {False: known(source, direct), True: known(source, impact)}
                for table, found in (
                    (direct, through[False] if one.type == "fdd" else set()),
                    (impact, through[True] if one.type == "fdd" else through[False] | through[True]),
                ):
                    before = len(table.setdefault(one.target, set()))
                    table[one.target] |= found
                    grown = grown or len(table[one.target]) > before
    edges: dict[tuple[str, str, str], str] = {}
    for one in model.relations:
        if not one.target.entity.permanent:
            continue
        assert one.process is not None
        for source in one.sources:
            for column in known(source, direct) | known(source, impact):
                kind = "fdd" if one.type == "fdd" and column in known(source, direct) else "fdr"
                key = (one.process.identity, repr(column), repr(one.target))
                if edges.get(key) != "fdd":
                    edges[key] = kind
    return {(*key, kind) for key, kind in edges.items()}


@given(st.lists(relation, max_size=14))
def test_the_walk_finds_what_the_rules_say(relations: list[tuple[list[str], str, str, int]]) -> None:
    model = build(relations)
    found = column_level(model)
    got = {(edge.process.identity, repr(edge.source), repr(edge.target), edge.type) for edge in found if edge.process}
    assert len(got) == len(found)
    assert got == expected(model)
    assert {edge for edge in got if edge[3] == "fdd"} == {
        (edge.process.identity, repr(edge.source), repr(edge.target), edge.type)
        for edge in column_level(model, impact=False)
        if edge.process
    }
