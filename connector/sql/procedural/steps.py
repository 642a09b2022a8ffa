"""What a routine body is made of, for lineage: a flat list of steps in the order of the text.

Control flow leaves only marks, and what is inside a branch counts as if it happened. The marks say where names end to be
valid, which assignments exclude each other, and on which condition the statements in between depend.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token

Tokens = list[Token]


@dataclass(slots=True, eq=False)
class Step:
    """A statement of the body: its tokens without the terminator."""

    tokens: Tokens
    closed: int
    """Offset after the semicolon, 0 where there is none."""


@dataclass(slots=True, eq=False)
class Enter(Step):
    """A block (its names end with it), a branch or a loop begins."""

    kind: str
    condition: Tokens = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Turn(Step):
    """ELSE, WHEN and similar words: another branch of the same statement begins."""

    condition: Tokens = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Skip(Step):
    """``EXIT WHEN``, ``CONTINUE WHEN``: whether the rest of the loop runs depends on a condition.

    Without one, ``LEAVE l`` or ``BREAK``, it depends on those of the branches around.
    """

    condition: Tokens


@dataclass(slots=True, eq=False)
class Leave(Step):
    """The innermost thing that was entered ends."""


@dataclass(slots=True, eq=False)
class Sql(Step):
    """A statement of SQL, for the analyser; it may say INTO."""

    discarded: bool = False
    """PERFORM: what the query gives goes nowhere."""


@dataclass(slots=True, eq=False)
class Parameter:
    """A parameter of a routine or a cursor."""

    name: Token | None
    """None where only a type is given."""
    sign: str
    """``@`` where the name is written with it."""
    datatype: Tokens
    inout: str
    default: Tokens
    readonly: bool = False
    """T-SQL: the parameter is a table."""


@dataclass(slots=True, eq=False)
class Declare(Step):
    """Variables or a cursor."""

    names: Tokens
    sign: str = ""
    kind: str = ""
    """``cursor`` or ``table`` where the declaration says so, else empty: the type decides."""
    datatype: Tokens = field(default_factory=list)
    default: Tokens = field(default_factory=list)
    query: Tokens = field(default_factory=list)
    """The query of a cursor, or the name of a prepared statement."""
    parameters: list[Parameter] = field(default_factory=list)
    columns: Tokens = field(default_factory=list)
    """What stands in the parentheses of a table variable."""
    is_type: bool = False
    """``TYPE name IS …``: a type, which some scripts use as if it were a variable."""


@dataclass(slots=True, eq=False)
class Assign(Step):
    """``x := value``, ``SET (a, b) = (…)``; also what a SELECT of T-SQL assigns."""

    targets: list[Tokens]
    value: Tokens


@dataclass(slots=True, eq=False)
class Open(Step):
    """OPEN of a cursor: with arguments, or FOR a query or a text."""

    cursor: Tokens
    query: Tokens = field(default_factory=list)
    arguments: list[Argument] = field(default_factory=list)
    using: list[Tokens] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Fetch(Step):
    """FETCH … INTO."""

    cursor: Tokens
    targets: list[Tokens]


@dataclass(slots=True, eq=False)
class Loop(Step):
    """FOR a record in a query, a cursor or a range. The marks of the loop itself stand around it."""

    record: Tokens
    source: Tokens
    cursor: Token | None = None
    """The name that the loop gives to its cursor."""
    dynamic: bool = False


@dataclass(slots=True, eq=False)
class Execute(Step):
    """Dynamic SQL."""

    text: Tokens
    targets: list[Tokens] = field(default_factory=list)
    using: list[Argument] = field(default_factory=list)
    head: Tokens = field(default_factory=list)
    """``INSERT INTO t`` before the EXECUTE whose rows it takes."""
    server: Token | None = None
    """``EXEC (…) AT server``: where the text runs."""
    database: Token | None = None
    """``EXEC database.sys.sp_executesql …``: in which database it runs."""
    declares: Tokens = field(default_factory=list)
    """``N'@a INT, @b INT'``: the parameters of the text, in order."""
    each: bool = False
    """``sp_MSforeachdb``: a question mark in the text stands for one name after another."""
    name: Token | None = None
    """PREPARE: the statement is made ready under a name; text and name both empty never happens."""
    prepare: bool = False


@dataclass(slots=True, eq=False)
class Argument:
    """An argument of a call, by position or by name."""

    value: Tokens
    name: str = ""
    out: bool = False


@dataclass(slots=True, eq=False)
class Call(Step):
    """A call of a procedure."""

    name: Tokens
    arguments: list[Argument]
    head: Tokens = field(default_factory=list)
    """``INSERT INTO t`` before the call whose rows it takes."""


@dataclass(slots=True, eq=False)
class Return(Step):
    """RETURN of a value or the rows of a query, or of nothing."""

    value: Tokens
    dynamic: bool = False

    @property
    def goes_on(self) -> bool:
        """``RETURN NEXT``, ``RETURN QUERY``, ``PIPE ROW``: the routine does not end here."""
        return self.tokens[0].text.upper() == "PIPE" or self.tokens[1:2] != self.value[:1]


@dataclass(slots=True, eq=False)
class Inner(Step):
    """A routine inside a routine or a package: its own tokens, head and body."""


@dataclass(slots=True, eq=False)
class Unread(Step):
    """Something the reader does not understand."""

    reason: str
