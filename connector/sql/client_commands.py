"""Lines that are meant for a client program and not for the database.

SQL*Plus, psql, bteq, sqlcmd, the clients of MySQL and Snowflake and the cells of notebooks all put commands of their
own between the statements. They are overwritten with spaces, so that every offset after them stays what it was, and
the places where they force a statement to end are kept.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from connector.sql.dialects import SqlDialect
from connector.sql.lexemes import comment_pattern, quoted_end, quoted_signs
from connector.sql.notebooks import blank_notebook, blank_scripts, has_cells
from connector.sql.words import spaces

_SQLPLUS_WORDS = frozenset(
    """
    ACC ACCEPT APPEND ARCHIVE ATTRIBUTE BRE BREAK BTI BTITLE CL CLEAR COL COLUMN COMP COMPUTE CONN CONNECT COPY DEF DEFINE
    DESC DESCRIBE DISC DISCONNECT EDIT EXIT HELP HO HOST PASSW PASSWORD PAU PAUSE PRI PRINT PRO PROMPT QUIT REM REMARK REPF
    REPFOOTER REPH REPHEADER SET SHO SHOW SHUTDOWN SPO SPOOL STA START STARTUP STORE TIMI TIMING TTI TTITLE UNDEF UNDEFINE
    VAR VARIABLE WHENEVER
    """.split()
)
_BLOCK = re.compile(
    r"(?:DECLARE|BEGIN|<<|CREATE\s+(?:OR\s+REPLACE\s+)?(?:(?:NON)?EDITIONABLE\s+)?"
    r"(?:PROCEDURE|FUNCTION|PACKAGE|TRIGGER|TYPE\s+BODY))(?!\w)",
    re.IGNORECASE,
)
_BLOCK_END = re.compile(r"(?<!\w)(END)(?:\s+(?!IF\b|LOOP\b|CASE\b)[\w.$#\"]+)?\s*$", re.IGNORECASE)
_BORDERS = re.compile(
    r"^[ \t]*(/(?=[ \t]*\r?$)|CREATE(?=\s+(?:OR\s+REPLACE\s+)?(?:(?:NON)?EDITIONABLE\s+)?"
    r"(?:PROCEDURE|FUNCTION|PACKAGE|TRIGGER|TYPE)\b)|DECLARE\b)",
    re.IGNORECASE | re.MULTILINE,
)
_GOES_ON = re.compile(
    r";(?:\s|--[^\r\n]*)*(?:(?:IF|LOOP|WHILE|FOR|EXCEPTION|ELSE|ELSIF|END|NULL|RETURN|RAISE|OPEN|FETCH|CLOSE|GOTO)\b"
    r"|EXIT\s+WHEN\b|EXECUTE\s+IMMEDIATE\b|[\w$#.]+\s*:=)",
    re.IGNORECASE,
)
"""What follows a semicolon inside a block and begins no statement outside."""
_SLASH = re.compile(r"/[ \t]*(?=\r?\n|\r?$|$)")
_MYSQL_WORDS = frozenset(
    """
    DELIMITER EXIT NOPAGER NOTEE NOWARNING PAGER PROMPT QUIT REHASH SOURCE STATUS SYSTEM TEE WARNINGS
    """.split()
)
_SQLPLUS = r"@@?(?=[\w./\\&:~$])|[!$](?=[ \t]*\w)"
_BACKSLASH = r"\\(?=[A-Za-z!?.;])"
_DOT = r"\.(?=[A-Za-z])"
_COLON = r":(?=(?:setvar|r|connect|on|out|error|perftrace|list|listvar|reset|quit|exit|ed|help|serverlist|xml)\b)|!!"
_BANG = r"!(?=[ \t]*[A-Za-z])"
_MYSQL = r"\\[.!hqsGgcdepPrtTuwWx#?](?=\s|$)|--(?=\S)"
"""Two dashes are a comment only before white space, but between statements they cannot be anything else."""
_LINE_WORD = re.compile(r"\n[ \t]*([A-Za-z]+)(?=[\s;]|\Z)")
_FIRST_WORD = re.compile(r"([A-Za-z]+)(?=[\s;]|\Z)")
_IMMEDIATE = re.compile(r"EXEC(?:UTE)?\s+IMMEDIATE\b", re.I)
_EXECUTED_BLOCK = re.compile(r"EXEC(?:UTE)?\s+(?=(?:BEGIN|DECLARE)\b)", re.I)
_CONTINUES = re.compile(r"-(?=[ \t]*\r?\n)")
_SQL_SET = re.compile(r"SET\s+(?:ROLE|TRANSACTION|CONSTRAINTS?)\b", re.I)
"""What SET does in SQL, and not in SQL*Plus."""
_MYSQL_END = re.compile(r"\\[Gg](?=[ \t]*(?:\r?\n|\Z))")
_PSQL_END = re.compile(r"\\(?:gx|gset|gexec|gdesc|g|crosstabview|watch)\b[^\r\n]*")
_DB2_AT = re.compile(r"@(?=[ \t]*(?:\r?\n|\Z))")
_DB2_TERMINATOR = re.compile(r"--#SET\s+TERMINATOR\s+(\S+)", re.I)
_LOADING = re.compile(r"\.(?:BEGIN|LAYOUT|FIELD|FILLER|DML)\b", re.I)
"""Commands of Teradata's loaders that go on to the next semicolon."""

_META_COPY = re.compile(r"\\copy\b", re.I)
_META_IMPORT = re.compile(r"\.import\b(?:[ \t]+-+\w+(?:[ \t]+\d+)?(?=[ \t]))*", re.I)
_HASH_FIRST = re.compile(r"\s*#")
_HASH_LINES = re.compile(r"\A\s*#[^\r\n]*(?:\s*\n[ \t]*#[^\r\n]*)*|^[ \t]*#(?:[ \t#][^\r\n]*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Client:
    """How the commands of a dialect's usual client look."""

    command: str
    """A pattern for commands that a sign announces."""
    signs: Sequence[str]
    """With what such a command may begin."""
    words: frozenset[str] = frozenset()
    """Commands that begin with a plain word."""
    one_line: frozenset[str] = frozenset()
    """Statements that end with their line, semicolon or not."""
    anywhere: bool = False
    """Commands are recognised in the middle of a statement too."""
    continued: str = ""
    """A sign at the end of a line that continues the command on the next one."""
    copies: bool = False
    """Rows may follow ``COPY ... FROM STDIN``."""
    inline: re.Pattern[str] | None = None
    """Commands that end a statement wherever they stand on the line."""
    sets_delimiter: bool = False
    """The command DELIMITER sets the end of statements."""
    comments_set_terminator: bool = False
    """``--#SET TERMINATOR @`` sets it; otherwise every statement ends with ``@``."""
    loads: bool = False
    """Commands of loaders go on to the next semicolon."""


_PSQL = _Client(_BACKSLASH, "\\", anywhere=True, copies=True, inline=_PSQL_END)
_SHELL = _Client(_BANG, "!")
_CLIENTS: dict[str, _Client | None] = {
    "plsql": _Client(_SQLPLUS, "@!$", _SQLPLUS_WORDS, frozenset({"EXEC", "EXECUTE"}), continued="-"),
    "plpgsql": _PSQL,
    "teradata": _Client(_DOT, ".", frozenset({"BTEQ", "EOF"}), continued="-", loads=True),
    "tsql": _Client(_COLON, ":!", anywhere=True),
    "mysql": _Client(_MYSQL, ("\\", "--"), _MYSQL_WORDS, frozenset({"USE"}), inline=_MYSQL_END, sets_delimiter=True),
    "snowflake": _SHELL,
    "db2": _Client(_BANG, "!", inline=_DB2_AT, comments_set_terminator=True),
    "informix": _SHELL,
    "gaussdb": _PSQL,
    "duckdb": _Client(_DOT, "."),
    "sqlite": _Client(_DOT, "."),
    "hive": _SHELL,
    "sparksql": _SHELL,
    "databricks": None,
}
"""By dialect or family; None where a dialect has no such client although others of its kind have."""


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
class _Patterns:
    """The patterns for one dialect."""

    client: _Client
    words: frozenset[str]
    """First words of commands and of statements that end with their line."""
    line: re.Pattern[str]
    """A command at the start of a line or after a semicolon; begins with that sign, which makes the search cheap."""
    command: re.Pattern[str]
    inline: re.Pattern[str] | None
    sign: re.Pattern[str]
    """Finds the places where something may happen, by their first character."""
    comment: re.Pattern[str]


@cache
def _patterns(dialect: SqlDialect) -> _Patterns | None:
    client = dialect.of(_CLIENTS, None)
    if client is None:
        return None
    inline = client.inline
    comments = dialect.sqlglot.tokenizer_class._COMMENTS
    signs = {"\n", ";", *quoted_signs(dialect), *(opening[0] for opening in comments), *("\\" if inline else "")}
    if client.comments_set_terminator:
        signs.add("@")
    return _Patterns(
        client,
        client.words | client.one_line,
        re.compile(rf"[\n;][ \t]*(?:{client.command})", re.IGNORECASE),
        re.compile(client.command, re.IGNORECASE),
        inline,
        re.compile(f"[{re.escape(''.join(sorted(signs)))}]"),
        re.compile(comment_pattern(dialect)),
    )


def clear_commands(text: str, dialect: SqlDialect) -> Cleared:
    """Removes client commands, if a cheap look at the text finds anything like one."""
    breaks: list[int] = []
    if dialect.family.notebooks and has_cells(text):
        text, breaks = blank_notebook(text)
    else:
        text = clear_hash_lines(text, dialect)
    if dialect.scripts_in_languages:
        text = blank_scripts(text)
    patterns = _patterns(dialect)
    if patterns is None or not _may_hold_commands(text, patterns):
        return Cleared(text, breaks)
    cleared = _Clearer(text, dialect, patterns).run()
    if breaks:
        cleared.breaks = sorted({*cleared.breaks, *breaks})
    return cleared


def clear_hash_lines(text: str, dialect: SqlDialect) -> str:
    """Without the comments that a tool or a shell takes out of its scripts, and without the directives of PL/pgSQL.

    No statement begins with ``#``: a text that does so has lines which the database never sees.
    """
    if _HASH_FIRST.match(text) and "#" not in dialect.sqlglot.tokenizer_class._COMMENTS:
        return _HASH_LINES.sub(lambda line: spaces(line[0]), text)
    return text


def _may_hold_commands(text: str, patterns: _Patterns) -> bool:
    client = patterns.client
    for sign in client.signs:
        if sign in text:
            if patterns.command.match(text.lstrip(" \t")) or patterns.line.search(text):
                return True
            if patterns.inline is not None and "\\" in client.signs and patterns.inline.search(text):
                return True
            break
    words = patterns.words
    if words:
        found = _FIRST_WORD.match(text.lstrip(" \t"))
        if found is not None and found[1].upper() in words:
            return True
        for line in _LINE_WORD.finditer(text):
            if line[1].upper() in words and _may_begin(text, line.start(), words):
                return True
    return client.comments_set_terminator and ("--#SET" in text or _DB2_AT.search(text) is not None)


def _may_begin(text: str, at: int, words: frozenset[str]) -> bool:
    """Whether a command may begin after `at`: not if something stands there that is plainly part of a statement."""
    while at >= 0 and text[at].isspace():
        at -= 1
    if at < 0 or text[at] in ";/":
        return True
    line = text[text.rfind("\n", 0, at) + 1 : at + 1].lstrip()
    found = _FIRST_WORD.match(line)
    return line.startswith(("--", "/*", "#")) or (found is not None and found[1].upper() in words)


class _Clearer:
    """Goes from event to event and knows whether a statement has begun."""

    def __init__(self, text: str, dialect: SqlDialect, patterns: _Patterns) -> None:
        self.text = text
        self.dialect = dialect
        self.patterns = patterns
        self.holes: list[tuple[int, int]] = []
        self.breaks: list[int] = []
        self.bodies: list[tuple[int, int]] = []
        self.delimiter = ";"
        self.body_start = -1
        self.statement_start = -1
        """Offset at which the statement being read began, -1 between statements."""
        self._line_starts: list[tuple[int, bool]] | None = None
        """SQL*Plus: where lines of slashes (True) and blocks with declarations begin, once needed."""

    def run(self) -> Cleared:
        text = self.text
        search = self.patterns.sign.search
        at = self._line(0)
        while True:
            match = search(text, at)
            start = match.start() if match is not None else len(text)
            if self.delimiter != ";":
                start = self._delimiter_before(at, start)
            self._content(at, start)
            if start == len(text):
                break
            at = self._event(start)
        if self.delimiter != ";":
            self.bodies.append((self.body_start, len(text)))
        return Cleared(self._filled(), self.breaks, self.bodies)

    def _delimiter_before(self, at: int, start: int) -> int:
        found = self.text.find(self.delimiter, at, start + len(self.delimiter))
        return start if found < 0 else min(found, start)

    def _content(self, at: int, end: int) -> None:
        if self.statement_start < 0 and end > at:
            between = self.text[at:end]
            stripped = between.lstrip()
            if stripped:
                self.statement_start = end - len(stripped)

    def _event(self, start: int) -> int:
        """Deals with what stands at `start` and gives the offset after it."""
        text = self.text
        if self.delimiter != ";" and text.startswith(self.delimiter, start):
            return self._end_statement(start, start + len(self.delimiter))
        sign = text[start]
        if sign == "\n":
            return self._line(start + 1)
        if sign == ";":
            end = self._semicolon(start, start + 1)
            # bteq: a command may follow a statement on its line.
            return self._line(end) if self.patterns.client.loads else end
        comment = self.patterns.comment.match(text, start)
        if comment is not None:
            return self._comment(comment[0], start, comment.end())
        inline = self.patterns.inline.match(text, start) if self.patterns.inline is not None else None
        if inline is not None:
            return self._bare_at(start) if sign == "@" else self._end_statement(start, inline.end())
        if self.statement_start < 0:
            if sign == "-" and self.patterns.command.match(text, start):
                return self._end_statement(start, self._command_end(start))
            self.statement_start = start
        end = quoted_end(text, start, self.dialect) if sign in quoted_signs(self.dialect) else -1
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
        if self.delimiter == ";" and not self._in_block(started, at):
            self.statement_start = -1
        if self.patterns.client.copies and started >= 0:
            statement = self.text[started:at]
            if re.match(r"COPY\b", statement, re.I) and re.search(r"\bFROM\s+STDIN\b", statement, re.I):
                return self._rows(end)
        return end

    def _in_block(self, started: int, at: int) -> bool:
        """Whether the semicolon stands inside a PL/SQL block, where EXIT, SET or COL are words like any other.

        SQL*Plus itself waits for a slash. Scripts that have none before the next block close their block with an END
        that stands no further to the right than the block's beginning.
        """
        if started < 0 or self.patterns.client.words is not _SQLPLUS_WORDS or not _BLOCK.match(self.text, started):
            return False
        closing = _BLOCK_END.search(self.text, max(started, self.text.rfind(";", started, at)), at)
        if closing is None or closing.end() != at:
            return True
        return (
            self._column(closing.start(1)) > self._column(started)
            or self._slash_ends(at)
            or _GOES_ON.match(self.text, at) is not None
        )

    def _slash_ends(self, at: int) -> bool:
        """Whether a slash on a line of its own comes before the next routine or list of declarations."""
        if self._line_starts is None:
            self._line_starts = [(found.start(1), found[1] == "/") for found in _BORDERS.finditer(self.text)]
        following = bisect_left(self._line_starts, (at, False))
        return following < len(self._line_starts) and self._line_starts[following][1]

    def _column(self, at: int) -> int:
        return at - self.text.rfind("\n", 0, at)

    def _rows(self, at: int) -> int:
        """The rows after COPY FROM STDIN, which end with a line that holds only a backslash and a dot."""
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

    def _line(self, line_start: int) -> int:
        """The offset after the client command on the line, or the start of the line when it holds none."""
        text = self.text
        at = line_start
        while at < len(text) and text[at] in " \t":
            at += 1
        client = self.patterns.client
        slash = _SLASH.match(text, at) if client.words is _SQLPLUS_WORDS or client.sets_delimiter else None
        if slash is not None:
            self.statement_start = -1
            return slash.end()
        if self.statement_start >= 0 and not client.anywhere:
            return line_start
        if self.patterns.command.match(text, at) is None and not self._is_word_command(at):
            return line_start
        if self.patterns.client.copies and _META_COPY.match(text, at):
            # psql: ``\\copy`` is COPY with the files of the client.
            self._end_statement(at, at + 1)
            self.breaks.append(self._balanced_end(at))
            return at + 1
        end = self._command_end(at)
        loaded = _META_IMPORT.match(text, at) if text[at] == "." else None
        if loaded is not None:
            # SQLite and DuckDB: ``.import --csv FILE TABLE``, a statement without the dot and the options.
            self._end_statement(at, at + 1)
            self.holes.append((at + 7, loaded.end()))
            self.breaks.append(end)
            return end
        if self._is_one_line(at):
            self.breaks.append(end)
            return self._execute_line(at, end) if self.patterns.client.words is _SQLPLUS_WORDS else line_start
        self._end_statement(at, end)
        delimiter = re.match(r"DELIMITER[ \t]+(\S+)", text[at:end], re.I) if client.sets_delimiter else None
        if delimiter:
            self._change_delimiter(delimiter[1], end)
        return end

    def _execute_line(self, at: int, end: int) -> int:
        """SQL*Plus: ``EXEC p(1)`` is one statement of PL/SQL; without the word if that is a block, and without the signs
        that continue it on the next line."""
        text = self.text
        block = _EXECUTED_BLOCK.match(text, at, end)
        if block is not None:
            self.holes.append((at, block.end()))
        self.holes.extend((sign.start(), sign.start() + 1) for sign in _CONTINUES.finditer(text, at, end))
        return end

    def _is_word_command(self, at: int) -> bool:
        client = self.patterns.client
        if not client.words:
            return False
        found = _FIRST_WORD.match(self.text, at)
        word = found[1].upper() if found is not None else ""
        if word == "SET" and word in client.words:
            return _SQL_SET.match(self.text, at) is None
        return word in client.words or self._is_one_line(at)

    def _is_one_line(self, at: int) -> bool:
        found = _FIRST_WORD.match(self.text, at)
        if found is None or found[1].upper() not in self.patterns.client.one_line:
            return False
        return _IMMEDIATE.match(self.text, at) is None

    def _command_end(self, at: int) -> int:
        text = self.text
        end = text.find("\n", at)
        continued = self.patterns.client.continued
        while continued and end >= 0 and text[at:end].rstrip().endswith(continued):
            end = text.find("\n", end + 1)
        if self.patterns.client.loads and _LOADING.match(text, at):
            closed = text.find(";", at)
            if closed >= 0:
                return closed + 1
        return end if end >= 0 else len(text)

    def _balanced_end(self, at: int) -> int:
        """The end of the line, or of the one that closes the parentheses which it opens."""
        text = self.text
        end = text.find("\n", at)
        while end >= 0 and text.count("(", at, end) > text.count(")", at, end):
            end = text.find("\n", end + 1)
        return end if end >= 0 else len(text)

    def _change_delimiter(self, delimiter: str, end: int) -> None:
        if self.delimiter != ";":
            self.bodies.append((self.body_start, end))
        self.delimiter = delimiter
        self.body_start = end

    def _comment(self, comment: str, start: int, end: int) -> int:
        """Db2 hides the change of its terminator in a comment."""
        announced = _DB2_TERMINATOR.match(comment) if self.patterns.client.comments_set_terminator else None
        if announced:
            self._end_statement(start, end)
            self._change_delimiter(announced[1], end)
        return end

    def _bare_at(self, at: int) -> int:
        """Db2: a script that ends its statements with ``@`` without saying so."""
        if self.delimiter == ";":
            self._change_delimiter("@", max(self.statement_start, 0))
        return self._end_statement(at, at + 1)
