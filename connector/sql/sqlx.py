"""Dataform's SQLX, read without running its JavaScript.

The blocks for the tool become white space and those of operations become statements. ``${ref("t")}`` is the table it names, and
of ``${when(…, `text`)}`` the first text counts.
"""

from __future__ import annotations

import re

from connector.sql.jinja import Found, Left, Template
from connector.sql.words import spaces

_BLOCK = re.compile(r"^[ \t]*(config|js|pre_operations|post_operations|input[ \t]+\"[^\"\n]*\")\s*\{", re.M)
_OPERATIONS = ("pre_operations", "post_operations")
_OWN_NAME = re.compile(r"\bname\s*:\s*(?:\"([^\"\n]+)\"|'([^'\n]+)')")
_TOKEN = re.compile(
    r"""'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|//[^\n]*|--[^\n]*|/\*.*?(?:\*/|\Z)|[{}]""",
    re.S,
)
_REFERENCE = re.compile(r"\s*(?:ref|resolve)\s*\((.*)\)\s*\Z", re.S)
_SELF = re.compile(r"\s*(?:self|name)\s*\(\s*\)\s*\Z")
_WHEN = re.compile(r"\s*when\s*\(")
_FIELD = re.compile(r"\b(database|schema|name)\s*:\s*(?:\"([^\"\n]*)\"|'([^'\n]*)')")
_TEXT = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_LINE = re.compile(r"^[ \t]*---[ \t]*$", re.M)


def is_sqlx(text: str) -> bool:
    """Whether a text is a file of Dataform."""
    return "${ref(" in text or ("config" in text and "{" in text and _is_config(text))


def _is_config(text: str) -> bool:
    found = _BLOCK.search(text)
    return found is not None and _close(text, found.end()) >= 0


def resolve_sqlx(text: str) -> Template:
    """The text as SQL, of the same length."""
    found: list[Found] = []
    left: list[Left] = []
    text, own_name = _without_blocks(text)
    text = _LINE.sub(lambda line: ";".ljust(len(line[0])), text)
    text = _filled(text, 0, own_name, found, left)
    return Template(text, found, [], left, True)


def _close(text: str, i: int) -> int:
    """The offset of the brace that closes what was opened before `i`, -1 without one."""
    depth = 1
    for match in _TOKEN.finditer(text, i):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if not depth:
                return match.start()
    return -1


def _without_blocks(text: str) -> tuple[str, str]:
    """The text with nothing but SQL in it, and the name that the configuration gives the table."""
    pieces: list[str] = []
    own_name = "self"
    behind = 0
    while (block := _BLOCK.search(text, behind)) is not None:
        end = _close(text, block.end())
        if end < 0:
            break
        pieces.append(text[behind : block.start()])
        inside = text[block.end() : end]
        if block[1] in _OPERATIONS:
            pieces.append(";".ljust(len(block[0])) if "\n" not in block[0] else ";" + spaces(block[0][1:]))
            pieces.append(inside + ";")
        else:
            pieces.append(spaces(text[block.start() : end + 1]))
            named = _OWN_NAME.search(inside) if block[1] == "config" else None
            own_name = (named[1] or named[2]) if named is not None else own_name
        behind = end + 1
    pieces.append(text[behind:])
    return "".join(pieces), own_name


def _filled(text: str, base: int, own_name: str, found: list[Found], left: list[Left]) -> str:
    """The text with names in the place of expressions; it begins at offset `base` of the file."""
    pieces: list[str] = []
    behind = 0
    while (start := text.find("${", behind)) >= 0:
        end = _close(text, start + 2)
        if end < 0:
            break
        inner = text[start + 2 : end]
        pieces.append(text[behind:start])
        behind = end + 1
        span = base + start, base + behind
        if _WHEN.match(inner):
            pieces.append(_chosen(text[start:behind], span, own_name, found, left))
        elif (parts := _names(inner, own_name)) or "(" in inner or "\n" in inner:
            pieces.append(_named(parts, text[start:behind], span, found, left))
        else:
            pieces.append(text[start:behind])
    pieces.append(text[behind:])
    return "".join(pieces)


def _names(inner: str, own_name: str) -> list[str]:
    """The parts of the name of a table that an expression stands for."""
    if _SELF.match(inner):
        return [own_name]
    reference = _REFERENCE.match(inner)
    if reference is None:
        return []
    fields = {field: double or single for field, double, single in _FIELD.findall(reference[1])}
    if "name" in fields:
        return [fields[part] for part in ("database", "schema", "name") if fields.get(part)]
    return [double or single for double, single in _TEXT.findall(reference[1])]


def _named(parts: list[str], written: str, span: tuple[int, int], found: list[Found], left: list[Left]) -> str:
    """Names with dots between them, as long as what is written; one name for what is not understood."""
    start, end = span
    if not parts:
        left.append((start, end, f"the expression {written} is not expanded"))
        found.append((start, end, written, "clause"))
        return "_" * len(written)
    pieces = []
    for part in parts[:-1]:
        found.append((start, start + 1, part, "name"))
        pieces.append("_.")
        start += 2
    found.append((start, end, parts[-1], "name"))
    return "".join(pieces) + "_" * (end - start)


def _chosen(written: str, span: tuple[int, int], own_name: str, found: list[Found], left: list[Left]) -> str:
    """``${when(incremental(), `AND day > x`)}``: its first text, as a part of the statement."""
    texts = [match for match in _TOKEN.finditer(written, written.index("(")) if match[0][0] in "`'\""]
    if not texts:
        return spaces(written)
    if len(texts) > 1:
        left.append((*span, "of the texts of when() only the first is read"))
    first, end = texts[0].start() + 1, texts[0].end() - 1
    inside = _filled(written[first:end], span[0] + first, own_name, found, left)
    return spaces(written[:first]) + inside + spaces(written[end:])
