"""Reads files as scripts, in any encoding."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterable
from pathlib import Path

from connector.errors import SourceError
from connector.model import Script

SUFFIXES = frozenset(
    {
        ".bteq",
        ".btq",
        ".ddl",
        ".dml",
        ".fnc",
        ".hql",
        ".pck",
        ".pkb",
        ".pks",
        ".pls",
        ".plsql",
        ".prc",
        ".psql",
        ".q",
        ".sp",
        ".sql",
        ".sqlx",
        ".trg",
        ".tsql",
        ".txt",
        ".viw",
        ".vw",
    }
)

_DISTINCT = [
    "gb18030",
    "big5",
    "cp932",
    "euc_jp",
    "cp949",
    "cp1251",
    "koi8_r",
    "cp1253",
    "cp1255",
    "cp1256",
    "cp874",
    "cp1252",
]
"""Encodings that are told apart by their bytes, and the one for Latin letters."""

# The longer marks first: the mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(data: bytes) -> str:
    """The text of `data`; line ends stay as they are. Never fails: the last resort knows every byte."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data[:4096]:
        wide = _without_mark(data)
        if wide is not None:
            return wide
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _legacy(data)


def _legacy(data: bytes) -> str:
    """Text from before UTF-8.

    Guessing works for alphabets of their own. Between the many tables of Latin letters a short text does not decide,
    and the most common one is the best guess.
    """
    # Loaded only here: it is large, and almost every file is UTF-8.
    from charset_normalizer import from_bytes

    best = from_bytes(data, cp_isolation=_DISTINCT).best()
    if best is not None:
        return str(best)
    return data.decode("cp1252", "replace")


def _without_mark(data: bytes) -> str | None:
    """UTF-16 without a mark: SQL is mostly ASCII, so every other byte is zero."""
    sample = data[:4096]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = max(len(sample) // 2, 1)
    for zeros, others, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if zeros > half * 0.4 and others < half * 0.05:
            try:
                return data.decode(encoding)
            except UnicodeDecodeError:
                return None
    return None


def read_text(path: Path) -> str:
    """The text of a file."""
    try:
        return decode(path.read_bytes())
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error


def read_scripts(paths: Iterable[Path | str]) -> list[Script]:
    """Files, folders (recursively, in sorted order) and ``-`` for standard input, as scripts with their index."""
    scripts: list[Script] = []
    for path in paths:
        if str(path) == "-":
            scripts.append(Script(decode(sys.stdin.buffer.read()), len(scripts), "-"))
            continue
        for file in _files(Path(path)):
            scripts.append(Script(read_text(file), len(scripts), str(file)))
    return scripts


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    try:
        found = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error
    if not found:
        raise SourceError(f"{path}: the folder contains no SQL files ({', '.join(sorted(SUFFIXES))})")
    return found
