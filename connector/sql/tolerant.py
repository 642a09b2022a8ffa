"""The second reading: the tables of a statement that the grammar cannot parse.

It knows no grammar, only the words after which a table stands and the places where those words mean something else.
One odd clause therefore costs the columns of a statement, never its tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import TokenType

from connector.model import ProcessType
from connector.sql.cursor import TokenCursor
from connector.sql.dialects import SqlDialect
from connector.sql.harmless import moves_no_data
from connector.sql.statement import Statement
from connector.sql.table_names import NOT_A_NAME, NameRef, common_tables, read_name
from connector.sql.words import CLOSING, OPENING, closing, on_level


@dataclass(slots=True)
class TolerantReading:
    """What a statement reads and writes."""

    type: ProcessType
    inputs: list[NameRef] = field(default_factory=list)
    outputs: list[NameRef] = field(default_factory=list)


def read_tables(statement: Statement, dialect: SqlDialect) -> TolerantReading | None:
    """The statement's tables as far as its words tell; None when it moves no data."""
    if moves_no_data(statement):
        return None
    return _Reader(statement, dialect).read()


_ENDS_FROM = frozenset(
    {
        TokenType.WHERE,
        TokenType.GROUP_BY,
        TokenType.ORDER_BY,
        TokenType.HAVING,
        TokenType.QUALIFY,
        TokenType.LIMIT,
        TokenType.SET,
        TokenType.UNION,
        TokenType.EXCEPT,
        TokenType.INTERSECT,
        TokenType.VALUES,
        TokenType.WINDOW,
        TokenType.CONNECT_BY,
        TokenType.START_WITH,
        TokenType.SORT_BY,
        TokenType.CLUSTER_BY,
        TokenType.DISTRIBUTE_BY,
        TokenType.WHEN,
        TokenType.PIPE_GT,
        TokenType.SEMICOLON,
        TokenType.RETURNING,
        TokenType.INSERT,
        TokenType.UPDATE,
        TokenType.DELETE,
    }
)
_BEFORE_NAME = frozenset({"TABLE", "ONLY", "LATERAL", "VIEW", "INTO", "OVERWRITE", "IGNORE", "LOW_PRIORITY", "DELAYED"})
_NOT_AN_ALIAS = NOT_A_NAME | frozenset(
    """
    TABLESAMPLE SAMPLE PIVOT UNPIVOT APPLY STRAIGHT_JOIN ASOF SEMI ANTI FOR START CONNECT WINDOW QUALIFY FETCH OFFSET
    OUTPUT RETURNING PARTITION FORCE USE IGNORE VALUES DEFAULT OPTION SORT CLUSTER DISTRIBUTE LATERAL MATCH_RECOGNIZE FINAL
    PREWHERE ARRAY GLOBAL ANY ALL POSITIONAL TO CLONE LIKE SHALLOW DEEP COPY SWAP RENAME
    """.split()
)
_STATEMENT_POSITION = frozenset(
    {TokenType.L_PAREN, TokenType.R_PAREN, TokenType.SEMICOLON, TokenType.BEGIN, TokenType.ALIAS, TokenType.COMMAND}
)
_STATEMENT_WORDS = frozenset({"ATOMIC", "DO", "LOOP", "AS", "BULK"})
_VERBS: dict[TokenType, ProcessType] = {
    TokenType.INSERT: "Insert",
    TokenType.UPDATE: "Update",
    TokenType.DELETE: "Delete",
    TokenType.MERGE: "Merge",
    TokenType.COPY: "Copy",
}


@dataclass(slots=True)
class _Level:
    """What is known of one level of parentheses."""

    queries: bool = False
    in_from: bool = False
    opened: int = -1


class _Reader(TokenCursor):
    """One pass over the tokens of a statement."""

    def __init__(self, statement: Statement, dialect: SqlDialect) -> None:
        super().__init__(statement.tokens)
        self.statement = statement
        self.dialect = dialect
        self.inputs: list[NameRef] = []
        self.outputs: list[NameRef] = []
        self.aliases: dict[str, NameRef] = {}
        self.hidden = common_tables(statement, dialect)

    def read(self) -> TolerantReading | None:
        kind = self._type()
        self._scan(kind)
        inputs = [ref for ref in self.inputs if not self._is_hidden(ref)]
        outputs = [self._behind_alias(ref) for ref in self.outputs]
        if kind in ("Update", "Delete", "Merge"):
            # A target that only stands in FROM because it is aliased there is not an input for that.
            written = {ref.start for ref in outputs}
            inputs = [ref for ref in inputs if ref.start not in written]
        if not inputs and (not outputs or kind.startswith("Create")):
            return None
        return TolerantReading(kind, self._distinct(inputs), self._distinct(outputs))

    def _type(self) -> ProcessType:
        first = self.word_at(0)
        if first in ("CREATE", "REPLACE", "ALTER") and self.word_at(1) != "INTO":
            return self._definition_type(first)
        if first == "LOAD":
            return "Hive Load"
        if first == "UNLOAD":
            return "Unload"
        if first in ("COPY", "EXPORT"):
            return "Copy"
        if first == "REPLACE":
            return "Insert"
        if first == "RENAME":
            return "Alter Table"
        into = False
        for i in on_level(self.tokens):
            kind = self.tokens[i].token_type
            if kind in _VERBS and self._at_statement(i):
                return _VERBS[kind]
            if kind is TokenType.INSERT and self.word_at(0) == "FROM":
                return "Insert"
            if kind is TokenType.INTO:
                into = True
        return "Select Into" if into else "Select"

    def _definition_type(self, first: str) -> ProcessType:
        words = [self.word_at(i) for i in range(1, 12)]
        for word, following in zip(words, [*words[1:], ""], strict=True):
            if word in ("PROCEDURE", "PROC"):
                return "Create Procedure"
            if word == "FUNCTION":
                return "Create Function"
            if word == "TRIGGER":
                return "Create Trigger"
            if word == "MATERIALIZED" and following == "VIEW":
                return "Create Materialized View"
            if word == "EXTERNAL" and following == "TABLE":
                return "Create External Table"
            if word == "STAGE":
                return "Create Stage"
            if word == "VIEW":
                return "Create View"
            if word == "TABLE":
                return self._table_type(first)
        return "Create Table" if first != "ALTER" else "Alter Table"

    def _table_type(self, first: str) -> ProcessType:
        if first == "ALTER":
            return "Alter Table"
        words = {token.text.upper() for token in self.tokens}
        if "SELECT" not in words and "CLONE" in words:
            return "Create Table Clone"
        if "SELECT" not in words and "LIKE" in words:
            return "Create Table Like"
        return "Create Table"

    def _at_statement(self, i: int) -> bool:
        return i == 0 or self.kind_at(i - 1) in _STATEMENT_POSITION or self.word_at(i - 1) in _STATEMENT_WORDS

    def _scan(self, kind: str) -> None:
        tokens = self.tokens
        level = _Level()
        stack: list[_Level] = []
        defines = kind.startswith("Create") and kind not in ("Create Procedure", "Create Function", "Create Trigger")
        expect = ""
        i = 0
        while i < len(tokens):
            token_type = tokens[i].token_type
            if token_type is TokenType.L_BRACKET and expect == "input":
                # ``JOIN [BROADCAST] t``: a hint.
                i = closing(tokens, i) + 1
                continue
            if token_type in OPENING:
                stack.append(level)
                level = _Level(in_from=expect == "input", opened=i)
                expect = expect if expect == "input" else ""
                i += 1
                continue
            if token_type in CLOSING:
                if stack:
                    level = stack.pop()
                expect = ""
                i += 1
                continue
            if expect:
                word = self.word_at(i)
                if word in _BEFORE_NAME and self.kind_at(i + 1) not in (TokenType.DOT, None):
                    i += 1
                    continue
                if word == "IF":
                    i += 3 if self.word_at(i + 1) == "NOT" else 2
                    continue
                if word == "OR":
                    # SQLite: INSERT OR REPLACE, UPDATE OR IGNORE
                    i += 2
                    continue
                ref, behind = read_name(self.tokens, i)
                if ref is not None:
                    i = self._take(ref, behind, expect)
                    expect = ""
                    continue
                expect = ""
            wanted = self._wanted(i, kind, level, bool(stack), defines)
            if wanted:
                expect = wanted
            i += 1

    def _wanted(self, i: int, kind: str, level: _Level, nested: bool, defines: bool) -> str:
        """Which kind of name comes after the token, if any; keeps the state of the level."""
        token_type = self.kind_at(i)
        word = self.word_at(i)
        if token_type is TokenType.SELECT:
            level.queries = True
            level.in_from = False
        elif token_type is TokenType.FROM:
            return self._after_from(i, kind, level, nested)
        elif token_type is TokenType.APPLY:
            return "input" if self.word_at(i - 1) in ("CROSS", "OUTER") else ""
        elif token_type is TokenType.STRAIGHT_JOIN:
            # Impala: ``SELECT STRAIGHT_JOIN a``.
            return "input" if self.word_at(i - 1) != "SELECT" else ""
        elif token_type is TokenType.JOIN:
            return "input"
        elif token_type is TokenType.COMMA:
            return "input" if level.in_from else ""
        elif token_type is TokenType.INTO or word == "OVERWRITE":
            level.in_from = False
            return "output"
        elif token_type is TokenType.USING:
            level.in_from = kind in ("Merge", "Delete") and not nested
            return "input" if level.in_from else ""
        elif token_type is TokenType.LATERAL and self.word_at(i + 1) == "VIEW":
            level.in_from = False
        elif token_type in (TokenType.INSERT, TokenType.UPDATE, TokenType.DELETE, TokenType.MERGE):
            level.in_from = False
            if self._at_statement(i):
                level.queries = True
                return "" if self.word_at(i + 1) in ("INTO", "OVERWRITE", "FROM", "ALL", "FIRST") else "output"
        elif token_type in _ENDS_FROM:
            level.in_from = False
        elif i == 0 and token_type is TokenType.COPY:
            return "output" if "TO" not in [self.tokens[i].text.upper() for i in on_level(self.tokens)] else "input"
        elif defines and not nested and word in ("TABLE", "VIEW") and not self.outputs:
            return "output"
        elif word in ("LIKE", "CLONE") and kind.endswith(("Like", "Clone")):
            return "input"
        elif kind == "Alter Table" and not nested:
            return self._altered(i, word)
        return ""

    def _altered(self, i: int, word: str) -> str:
        if word in ("TABLE", "VIEW") and not self.inputs:
            return "input"
        if word == "TO" and "RENAME" in (self.word_at(i - 1), self.word_at(i - 2), self.word_at(i - 3)):
            return "output"
        if word == "WITH" and self.word_at(i - 1) in ("SWAP", "EXCHANGE"):
            return "output"
        return ""

    def _after_from(self, i: int, kind: str, level: _Level, nested: bool) -> str:
        if self.word_at(i - 1) == "DISTINCT" and self.word_at(i - 2) in ("IS", "NOT"):
            return ""
        if self.kind_at(i - 1) is TokenType.R_PAREN and self.word_at(i + 1) in ("FIRST", "LAST"):
            # ``NTH_VALUE(a, 2) FROM FIRST``
            return ""
        if nested and not level.queries and level.opened != i - 1:
            return ""
        if kind == "Delete" and not nested and self.word_at(i - 1) == "DELETE":
            return "output"
        if kind == "Copy" and not nested:
            return ""
        if self.word_at(i + 1) in ("BACKUP", "SNAPSHOT") and self.word_at(i + 2) == "SET":
            return ""
        level.in_from = True
        return "input"

    def _take(self, ref: NameRef, behind: int, expect: str) -> int:
        """Keeps the name unless it is called like a function, and reads its alias."""
        called = self.kind_at(behind) is TokenType.L_PAREN
        if expect == "output":
            if ref.parts[0][0][:1] != ":" and not (called and ref.parts[0][0].upper() == "IDENTIFIER"):
                self.outputs.append(ref)
        elif ref.parts[0][0] == ":" or (called and self.word_at(behind + 1) not in ("NOLOCK", "INDEX", "READPAST")):
            return behind
        else:
            self.inputs.append(ref)
        i = behind + 1 if self.kind_at(behind) is TokenType.ALIAS else behind
        alias = self._alias(i)
        if alias is not None:
            self.aliases.setdefault(alias, ref)
            return i + 1
        return behind

    def _alias(self, i: int) -> str | None:
        if i >= len(self.tokens):
            return None
        token = self.tokens[i]
        if token.token_type is TokenType.IDENTIFIER:
            return self.dialect.fold_column(token.text, True)
        text = token.text
        if token.token_type is TokenType.STRING or not (text[:1].isalpha() or text[:1] == "_"):
            return None
        return None if text.upper() in _NOT_AN_ALIAS else self.dialect.fold_column(text, False)

    def _is_hidden(self, ref: NameRef) -> bool:
        if len(ref.parts) != 1:
            return False
        key = self.dialect.fold_column(*ref.parts[0])
        return any(name == key and ref.start >= visible for name, visible in self.hidden)

    def _behind_alias(self, ref: NameRef) -> NameRef:
        if len(ref.parts) != 1:
            return ref
        found = self.aliases.get(self.dialect.fold_column(*ref.parts[0]))
        return found if found is not None else ref

    def _distinct(self, refs: list[NameRef]) -> list[NameRef]:
        fold = self.dialect.fold_table
        seen: dict[tuple[str, ...], NameRef] = {}
        for ref in refs:
            seen.setdefault(tuple(fold(text, quoted) for text, quoted in ref.parts), ref)
        return list(seen.values())
