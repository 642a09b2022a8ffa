"""Lines that are meant for a client program and not for the database.

SQL*Plus, psql, bteq, sqlcmd, the clients of MySQL and Snowflake and the cells of notebooks all put commands of their
own between the statements. They are overwritten with spaces, so that every offset behind them stays what it was, and
the places where they force a statement to end are kept.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cache

from connector.sql.dialects import SqlDialect
from connector.sql.lexemes import comment_pattern, quoted_end, quoted_signs
from connector.sql.notebooks import blank_notebook
from connector.sql.scripts import blank_scripts
from connector.sql.words import spaces

__all__ = ["Cleared", "clear_commands"]

_SQLPLUS = (
    r"@@?(?=[\w./\\&:~$])|[!$](?=\s*\w)"
    r"|(?:ACC(?:EPT)?|APPEND|ARCHIVE|ATTRIBUTE|BRE(?:AK)?|BTI(?:TLE)?|CL(?:EAR)?|COL(?:UMN)?|COMP(?:UTE)?|CONN(?:ECT)?"
    r"|COPY|DEF(?:INE)?|DESC(?:RIBE)?|DISC(?:ONNECT)?|EDIT?|EXIT|HELP|HO(?:ST)?|PASSW(?:ORD)?|PAU(?:SE)?|PRI(?:NT)?"
    r"|PRO(?:MPT)?|QUIT|REM(?:ARK)?|REPF(?:OOTER)?|REPH(?:EADER)?|SET(?!\s+(?:ROLE|TRANSACTION|CONSTRAINTS?)\b)|SHO(?:W)?"
    r"|SHUTDOWN|SPO(?:OL)?|STA(?:RT)?|STARTUP|STORE|TIMI(?:NG)?|TTI(?:TLE)?|UNDEF(?:INE)?|VAR(?:IABLE)?|WHENEVER)"
    r"(?=\s|;|$)"
)
_BACKSLASH = r"\\(?=[A-Za-z!?.;])"
_DOT = r"\.(?=[A-Za-z])"
_COLON = r":(?=(?:setvar|r|connect|on|out|error|perftrace|list|listvar|reset|quit|exit|ed|help|serverlist|xml)\b)|!!"
_BANG = r"!(?=\s*[A-Za-z])"
_MYSQL = (
    r"(?:DELIMITER)(?=[ \t]+\S)|(?:SOURCE|TEE|NOTEE|PAGER|NOPAGER|PROMPT|SYSTEM|STATUS|WARNINGS|NOWARNING|REHASH|EXIT|QUIT)"
    r"(?=[ \t;\r\n]|$)|\\[.!hqsGgcdepPrtTuwWx#?](?=\s|$)"
)
_INLINE = {
    "mysql": r"\\G(?=[ \t]*(?:\r?\n|\Z))",
    "plpgsql": r"\\(?:gx|gset|gexec|gdesc|g|crosstabview|watch)\b[^\r\n]*",
}
"""Commands that end a statement wherever they stand on the line."""
_DB2_HINT = r"--#SET|@[ \t]*(?:\r?\n|\Z)"
_DB2_TERMINATOR = re.compile(r"--#SET\s+TERMINATOR\s+(\S+)", re.I)
_LOADING = re.compile(r"\.(?:BEGIN|LAYOUT|FIELD|FILLER|DML)\b", re.I)
"""Commands of Teradata's loaders that go on to the next semicolon."""
_MAGIC_CELL = re.compile(r"(?:\A|\n)[ \t]*%[a-z]+")


@dataclass(frozen=True, slots=True)
class _Client:
    """How the commands of a dialect's usual client look."""

    command: str
    anywhere: bool = False
    """Commands are recognised in the middle of a statement too."""
    continued: str = ""
    """A sign at the end of a line that continues the command on the next one."""
    copies: bool = False
    """Rows may follow ``COPY ... FROM STDIN``."""


_CLIENTS: dict[str, _Client] = {
    "plsql": _Client(_SQLPLUS, continued="-"),
    "plpgsql": _Client(_BACKSLASH, anywhere=True, copies=True),
    "teradata": _Client(_DOT, continued="-"),
    "tsql": _Client(_COLON, anywhere=True),
    "mysql": _Client(_MYSQL),
    "snowflake": _Client(_BANG),
    "db2": _Client(_BANG),
}
_BY_NAME: dict[str, _Client] = {
    "gaussdb": _Client(_BACKSLASH, anywhere=True, copies=True),
    "duckdb": _Client(_DOT),
    "sqlite": _Client(_DOT),
    "hive": _Client(_BANG),
    "impala": _Client(_BANG),
    "sparksql": _Client(_BANG),
    "spark2": _Client(_BANG),
}


@dataclass(slots=True)
class Cleared:
    """Text without client commands, of the same length."""

    text: str
    breaks: list[int] = field(default_factory=list)
    """Offsets at which a statement ends even without a semicolon, in order."""
    bodies: list[tuple[int, int]] = field(default_factory=list)
    """Ranges in which another delimiter than the semicolon was set: no semicolon ends a statement there."""

    def in_body(self, offset: int) -> bool:
        found = bisect_left(self.bodies, (offset + 1, 0)) - 1
        return found >= 0 and offset < self.bodies[found][1]


@dataclass(frozen=True, slots=True)
class _Reading:
    """The patterns for one dialect."""

    client: _Client
    hint: re.Pattern[str]
    """Finds anything that might be a command; begins with a line end, which makes the search cheap."""
    command: re.Pattern[str]
    event: re.Pattern[str]
    """Finds whatever changes the state of the reader: comments, quotes, semicolons, commands."""


@cache
def _reading(dialect: SqlDialect) -> _Reading | None:
    client = _BY_NAME.get(dialect.name) or _CLIENTS.get(dialect.family)
    if client is None:
        return None
    line = rf"\n[ \t]*(?:{client.command})"
    inline = _INLINE.get(dialect.family, "") if dialect.name != "gaussdb" else _INLINE["plpgsql"]
    signs = re.escape(quoted_signs(dialect))
    hint = "|".join(part for part in (line, inline, _DB2_HINT if dialect.name == "db2" else "") if part)
    events = [rf"(?P<line>{line})", rf"(?P<comment>{comment_pattern(dialect)})", r"(?P<end>;)"]
    if inline:
        events.append(rf"(?P<inline>{inline})")
    if dialect.name == "db2":
        events.append(r"(?P<at>@(?=[ \t]*(?:\r?\n|\Z)))")
    events.append(rf"(?P<quote>[{signs}])")
    return _Reading(
        client,
        re.compile(hint, re.IGNORECASE),
        re.compile(client.command, re.IGNORECASE),
        re.compile("|".join(events), re.IGNORECASE),
    )


def clear_commands(text: str, dialect: SqlDialect) -> Cleared:
    """Removes client commands, if a cheap look at the text finds anything like one."""
    breaks: list[int] = []
    if dialect.family == "databricks" and ("COMMAND ---" in text or "MAGIC" in text or _MAGIC_CELL.search(text)):
        text, breaks = blank_notebook(text)
    elif dialect.name == "exasol":
        text = blank_scripts(text)
    reading = _reading(dialect)
    if reading is None or (reading.hint.search(text) is None and reading.command.match(text.lstrip(" \t")) is None):
        return Cleared(text, breaks)
    cleared = _Clearer(text, dialect, reading).run()
    if breaks:
        cleared.breaks = sorted({*cleared.breaks, *breaks})
    return cleared


class _Clearer:
    """Goes from event to event and knows whether a statement has begun."""

    def __init__(self, text: str, dialect: SqlDialect, reading: _Reading) -> None:
        self.text = text
        self.dialect = dialect
        self.reading = reading
        self.holes: list[tuple[int, int]] = []
        self.breaks: list[int] = []
        self.bodies: list[tuple[int, int]] = []
        self.delimiter = ";"
        self.body_start = -1
        self.statement_start = -1
        """Offset at which the statement being read began, -1 between statements."""

    def run(self) -> Cleared:
        text = self.text
        at = self._line(0, 0)
        while True:
            match = self._next(at)
            start = match.start() if match is not None else len(text)
            self._content(at, start)
            if match is None:
                break
            at = self._event(match, start)
        if self.delimiter != ";":
            self.bodies.append((self.body_start, len(text)))
        return Cleared(self._filled(), self.breaks, self.bodies)

    def _next(self, at: int) -> re.Match[str] | None:
        match = self.reading.event.search(self.text, at)
        if self.delimiter != ";":
            found = self.text.find(self.delimiter, at)
            if found >= 0 and (match is None or found <= match.start()):
                return re.compile(re.escape(self.delimiter)).match(self.text, found)
        return match

    def _content(self, at: int, end: int) -> None:
        if self.statement_start < 0 and end > at:
            between = self.text[at:end]
            stripped = between.lstrip()
            if stripped:
                self.statement_start = end - len(stripped)

    def _event(self, match: re.Match[str], start: int) -> int:
        kind = match.lastgroup
        if kind is None:
            return self._end_statement(start, match.end())
        if kind == "end":
            return self._semicolon(start, match.end())
        if kind == "line":
            return self._line(start + 1, start + 1)
        if kind == "comment":
            return self._comment(match[0], start, match.end())
        if kind == "inline":
            return self._end_statement(start, match.end())
        if kind == "at":
            return self._bare_at(start)
        end = quoted_end(self.text, start, self.dialect)
        if self.statement_start < 0:
            self.statement_start = start
        # A sign that opens nothing: the tokenizer will say what is wrong with it, if anything is.
        return end if end > start else start + 1

    def _filled(self) -> str:
        pieces = []
        behind = 0
        for start, end in self.holes:
            pieces.append(self.text[behind:start])
            pieces.append(spaces(self.text[start:end]))
            behind = end
        pieces.append(self.text[behind:])
        return "".join(pieces)

    def _semicolon(self, at: int, end: int) -> int:
        started = self.statement_start
        if self.delimiter == ";":
            self.statement_start = -1
        if self.reading.client.copies and started >= 0:
            statement = self.text[started:at]
            if re.match(r"COPY\b", statement, re.I) and re.search(r"\bFROM\s+STDIN\b", statement, re.I):
                return self._rows(end)
        return end

    def _rows(self, at: int) -> int:
        """The rows behind COPY FROM STDIN, which end with a line that holds only a backslash and a dot."""
        closing = re.compile(r"^\\\.[ \t]*\r?$", re.M).search(self.text, at)
        line_end = self.text.find("\n", at)
        if closing is None or line_end < 0:
            return at
        self.holes.append((line_end, closing.end()))
        return closing.end()

    def _end_statement(self, start: int, end: int) -> int:
        """A sign that ends a statement and is no part of it."""
        self.holes.append((start, end))
        self.breaks.append(start)
        self.statement_start = -1
        return end

    def _line(self, line_start: int, at: int) -> int:
        """The offset behind the client command on the line, or the start of the line when it holds none."""
        text = self.text
        while at < len(text) and text[at] in " \t":
            at += 1
        if self.reading.command.match(text, at) is None:
            return line_start
        if self.statement_start >= 0 and not self.reading.client.anywhere:
            return line_start
        end = self._command_end(at)
        self._end_statement(at, end)
        delimiter = re.match(r"DELIMITER[ \t]+(\S+)", text[at:end], re.I) if self.dialect.family == "mysql" else None
        if delimiter:
            self._change_delimiter(delimiter[1], end)
        return end

    def _command_end(self, at: int) -> int:
        text = self.text
        end = text.find("\n", at)
        continued = self.reading.client.continued
        while continued and end >= 0 and text[at:end].rstrip().endswith(continued):
            end = text.find("\n", end + 1)
        if self.dialect.family == "teradata" and _LOADING.match(text, at):
            closed = text.find(";", at)
            if closed >= 0:
                return closed + 1
        return end if end >= 0 else len(text)

    def _change_delimiter(self, delimiter: str, end: int) -> None:
        if self.delimiter != ";":
            self.bodies.append((self.body_start, end))
        self.delimiter = delimiter
        self.body_start = end

    def _comment(self, comment: str, start: int, end: int) -> int:
        """Db2 hides the change of its terminator in a comment."""
        announced = _DB2_TERMINATOR.match(comment) if self.dialect.name == "db2" else None
        if announced:
            self._end_statement(start, end)
            self._change_delimiter(announced[1], end)
        return end

    def _bare_at(self, at: int) -> int:
        """Db2: a script that ends its statements with ``@`` without saying so."""
        if self.delimiter == ";":
            self._change_delimiter("@", max(self.statement_start, 0))
        return self._end_statement(at, at + 1)
