"""The tables that drawn statements read and write."""

from __future__ import annotations

import datetime

from tests.engines.data import Domain, Table, choices, days, integers, lists, maps, structs

WORDS = ("a", "b", "ab", "c")
FIRST_DAY = datetime.date(2024, 1, 1)
YEARS = (2020, 2021, 2022)

NUMBER = integers()
ID = integers(1, 9)
WORD = choices("VARCHAR", WORDS)
DAY = days(FIRST_DAY, 6)

TABLES = (
    Table("t", {"id": ID, "k": NUMBER, "a": NUMBER, "b": NUMBER, "s": WORD}, unique=frozenset({"id"})),
    Table("u", {"id": ID, "k": NUMBER, "c": NUMBER, "d": DAY, "s": WORD}, unique=frozenset({"id"})),
    Table(
        "w",
        {"id": ID, "k": NUMBER, "l": lists(NUMBER), "r": structs(p=NUMBER, q=WORD), "m": maps(WORDS[:2], NUMBER)},
        unique=frozenset({"id"}),
    ),
    Table("p", {"g": WORD, "y": choices("INTEGER", YEARS), "v": NUMBER, "n": NUMBER}, rows=12),
    Table("z", {"x": ID, "y": NUMBER, "s": WORD}, rows=6, key="x"),
)
"""`t` and `u` share names, `w` is nested, `p` is for pivoting, `z` is what is written to."""

KINDS = {
    "INTEGER": "int",
    "VARCHAR": "str",
    "DATE": "date",
    "INTEGER[]": "ints",
    "STRUCT(p INTEGER, q VARCHAR)": "row",
    "MAP(VARCHAR, INTEGER)": "map",
}
"""What the grammar calls the types."""


def kind_of(domain: Domain) -> str:
    return KINDS[domain.type]
