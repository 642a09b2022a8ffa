"""Damaged scripts, made from the goldens and the benchmark's statements by a seeded random generator.

Input number *n* is the same on every machine, under every hash seed and in every release of Python, so a finding is named
by its number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

__all__ = ["DIALECTS", "SOURCES", "Input", "damaged_script", "shrink"]

Input = tuple[str, str]
"""A dialect and a text."""

_TESTS = Path(__file__).parents[1]
_LONGEST = 1_500
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_NOISE = (
    *"()[]{}<>,;.'\"`$@:#?!%&|*+-/\\=~^ \n\t\x00",
    *("--", "/*", "*/", "||", "::", "->", "=>", "$$", "é", "名", "\U0001f600", "\ufeff", "\r\n", "\ud800", "\udc41"),
    *("select", "from", "join", "on", "using", "where", "group by", "order by", "having", "qualify", "union all"),
    *("with", "as", "case", "when", "then", "end", "over (", "in (", "exists (", "lateral", "unnest(", "pivot ("),
    *("insert into", "update", "set", "delete", "merge", "create view", "create table", "values", "returning", "into"),
    *("null", "1", "'x'", "t", "a.b", "a.b.c.d", "*", "t.*", "count(*)", "{{ ref('x') }}", "${v}", "begin", "go", "/"),
    *(
        "@p",
        "@a,",
        "execute immediate '",
        "declare @p table (id int)",
        "create external table 'f' as",
        "put file:///x @(",
    ),
    *("copy into", "exec(", "declare", "call p()", "cursor for", "fetch c into", "return", "loop", "if", "go\n", "$$;"),
)


def _read_sources() -> list[Input]:
    """Dialect and text of every golden and of every file of the benchmark."""
    folders = (
        *(_TESTS / name for name in ("golden", "analysis/routines/golden")),
        _TESTS.parent / "benchmarks" / "statements",
    )
    files = [file for folder in folders for file in sorted(folder.glob("*/*.sql"))]
    return [(file.parent.name, file.read_text(encoding="utf-8")) for file in files]


SOURCES = _read_sources()
DIALECTS = sorted({dialect for dialect, _ in SOURCES})


def damaged_script(number: int) -> Input:
    """The input of this number; now and then the dialect is not the one the script was written in."""
    random = Random(number)
    dialect, text = random.choice(SOURCES)
    if random.randrange(10) == 0:
        dialect = random.choice(DIALECTS)
    words = _WORDS.findall(_excerpt(text, random))
    for _ in range(random.randint(0, 6)):
        words = _damage(words, random)
    if random.randrange(3) == 0:
        words = words[: random.randint(0, len(words))]
    return dialect, "".join(words)


def _excerpt(text: str, random: Random) -> str:
    """A statement or two of a script; of every fourth a larger piece, which costs several times as much to analyse."""
    if random.randrange(4) == 0:
        start = random.randint(0, max(0, len(text) - _LONGEST))
        return text[start : start + _LONGEST]
    statements = text.split(";")
    first = random.randrange(len(statements))
    return ";".join(statements[first : first + random.randint(1, 2)])[:_LONGEST]


def _damage(words: list[str], random: Random) -> list[str]:
    if not words:
        return [random.choice(_NOISE)]
    at = random.randrange(len(words))
    until = min(len(words), at + random.randint(1, 8))
    kind = random.choice(("drop", "double", "swap", "noise", "replace", "splice", "wrap"))
    if kind == "drop":
        return words[:at] + words[until:]
    if kind == "double":
        return words[:until] + words[at:until] + words[until:]
    if kind == "swap":
        other = random.randrange(len(words))
        swapped = list(words)
        swapped[at], swapped[other] = swapped[other], swapped[at]
        return swapped
    if kind == "noise":
        return [*words[:at], random.choice(_NOISE), *words[at:]]
    if kind == "replace":
        return [*words[:at], random.choice(_NOISE), *words[until:]]
    if kind == "wrap":
        return [*words[:at], "(", *words[at:until], ")", *words[until:]]
    _, donor = random.choice(SOURCES)
    pieces = _WORDS.findall(donor[:_LONGEST])
    first = random.randrange(max(1, len(pieces)))
    return words[:at] + pieces[first : first + 20] + words[at:]


def shrink(text: str, still_fails: Callable[[str], bool]) -> str:
    """A shorter text that fails too: pieces are left out, from half of the text down to single words."""
    words = _WORDS.findall(text)
    size = len(words)
    while size:
        at = 0
        while at < len(words):
            shorter = words[:at] + words[at + size :]
            if still_fails("".join(shorter)):
                words = shorter
            else:
                at += size
        size //= 2
    return "".join(words)
