"""Variables of routines: scalars, cursors, records and tables, as rowsets that names resolve to."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.builder import ROWS, STAR, Builder
from connector.analysis.context import Context
from connector.analysis.rowset import OpenStar, Rowset
from connector.model import Column, EffectType, Entity, Span
from connector.sql.statement import Statement


class Variable(Rowset):
    """A variable. It enters the model when something first flows through it, not when it is declared."""

    __slots__ = ("first", "parameters", "prepared", "shared")

    def __init__(
        self, name: str, key: str, sub_type: str, span: Span | None, known: dict[str, str] | None = None
    ) -> None:
        entity = Entity(
            0, "variable", name, "variable", sub_type=sub_type, table=name, temporary=sub_type == "table", span=span
        )
        super().__init__(entity, known, (key,))
        self.first = entity
        """The entity as it was in the beginning: what a caller passes goes there."""
        self.parameters: list[Variable] = []
        """Of a cursor."""
        self.prepared = ""
        """Of a cursor: the name of the prepared statement it is for."""
        self.shared = False
        """A routine inside the one that declares it reads whatever is written to it, now or later."""

    def show(self, builder: Builder) -> Entity:
        """The entity, in the model from now on."""
        builder.enter(self.entity)
        return self.entity

    def renew(self) -> None:
        """A new value takes the place of all that the variable held: what read it before has nothing to do with it."""
        entity = self.entity
        if not entity.columns or self.shared:
            return
        self.entity = Entity(
            0,
            "variable",
            entity.name,
            "variable",
            sub_type=entity.sub_type,
            table=entity.table,
            temporary=entity.temporary,
            span=entity.span,
        )
        self.outputs = []
        self.stars = []

    def divide(self, builder: Builder, without: str = "") -> None:
        """A second version, which starts with all that the first one holds, or all but one field."""
        before = self.entity
        outputs, stars = self.outputs, self.stars
        if not before.columns or self.shared or before.sub_type not in ("scalar", "record"):
            return
        self.renew()
        builder.process = None
        self.show(builder)
        for key, column in before.columns.items():
            if key == ROWS:
                builder.relate("fdr", builder.rows(self.entity), [column], "select")
            elif key != without:
                builder.direct(builder.column(self.entity, key, column.name, column.span), column, "select")
        self.outputs = [(key, self.entity.columns[key]) for key, _ in outputs if key in self.entity.columns]
        self.stars = list(stars)

    def column(self, builder: Builder, key: str, name: str, span: Span | None) -> Column:
        self.show(builder)
        return super().column(builder, key, name, span)

    def rows(self, builder: Builder) -> Column:
        self.show(builder)
        return super().rows(builder)

    def own(self, builder: Builder, span: Span | None = None) -> Column:
        """The one column of a scalar."""
        return self.column(builder, self.key[0], self.entity.name, span or self.entity.span)

    def values(self, builder: Builder) -> list[Column]:
        """All columns; of a record that has not been filled yet, the star."""
        if self.entity.sub_type == "scalar":
            return [self.own(builder)]
        found = [column for key, column in self.entity.columns.items() if key != ROWS]
        return found or [self.column(builder, STAR, STAR, None)]

    def fill(self, builder: Builder, result: Rowset, effect: EffectType, *, by_position: bool = False) -> None:
        """Takes over the columns of a result, and what limits its rows."""
        self.show(builder)
        if self.entity.sub_type == "scalar" and not self.entity.columns:
            # Declared with a type that is defined elsewhere; what it is shows now.
            self.entity.sub_type = "record"
        names = list((self.known or {}).items()) if by_position else []
        for place, (key, source) in enumerate(result.outputs):
            if key == STAR:
                self.stars.append(OpenStar(result))
                star = self.entity.columns.get(STAR)
                if star is None:
                    star = builder.column(self.entity, STAR, STAR, source.span)
                    self.outputs.append((STAR, star))
                builder.direct(star, source, effect)
                continue
            name = source.name
            if place < len(names):
                key, name = names[place]
            known = self.entity.columns.get(key)
            if known is None:
                known = builder.column(self.entity, key, name, source.span)
                self.outputs.append((key, known))
            builder.direct(known, source, effect)
        if self.entity.sub_type == "table" and self.known is None and not self.stars:
            self.known = {key: column.name for key, column in self.outputs}
        self.limit(builder, result, effect)

    def limit(self, builder: Builder, result: Rowset, effect: EffectType) -> None:
        """What limited the rows of the result limits what the variable holds."""
        rows = result.entity.columns.get(ROWS)
        if rows is not None:
            builder.relate("fdr", builder.rows(self.show(builder)), [rows], effect)


def row_of(record: Rowset) -> Rowset:
    """A record as a row: its columns, whether it was filled as a whole or field by field."""
    row = Rowset(record.entity)
    row.outputs = record.outputs
    row.stars = record.stars
    if not row.outputs and not row.stars:
        row.outputs = [(key, column) for key, column in record.entity.columns.items() if key != ROWS]
    return row


def sub_type_of(datatype: list[Token]) -> str:
    """What kind of variable a type makes."""
    words = [token.text.upper() for token in datatype if token.token_type is not TokenType.IDENTIFIER]
    if "ROWTYPE" in words or "RECORD" in words or "ROW" in words[:1]:
        return "record"
    if "CURSOR" in words or "REFCURSOR" in words or "SYS_REFCURSOR" in words or "RESULTSET" in words:
        return "cursor"
    if words[:1] == ["TABLE"] and "(" in words:
        return "table"
    return "scalar"


class Place:
    """Where a value goes: a variable as a whole, or one field of it."""

    __slots__ = ("field", "field_key", "rowset")

    def __init__(self, rowset: Rowset, field: Token | None = None, field_key: str = "") -> None:
        self.rowset = rowset
        self.field = field
        self.field_key = field_key

    @property
    def whole_record(self) -> bool:
        """Whether the place takes several columns at once."""
        return self.field is None and self.rowset.entity.sub_type != "scalar"


class VariableScope:
    """The variables in force, which are those of the name resolver."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    def key(self, token: Token, sign: str = "") -> str:
        fold = self.ctx.dialect.fold_column
        return fold(sign + token.text, token.token_type is TokenType.IDENTIFIER)

    def new(
        self, token: Token, sign: str, sub_type: str, statement: Statement, known: dict[str, str] | None = None
    ) -> Variable:
        """A variable, in force from now on."""
        base = statement.base
        start, end = token.start + base, token.end + 1 + base
        script = statement.script
        if sign:
            start -= len(sign)
        key = self.key(token, sign)
        variable = Variable(script.text[start:end], key, sub_type, (script, start, end), known)
        self.ctx.names.variables[key] = variable
        return variable

    def find(self, tokens: list[Token]) -> Rowset | None:
        """The variable a name means, without its fields and subscripts."""
        sign, parts = _parts(tokens)
        if not parts:
            return None
        variables = self.ctx.names.variables
        found = variables.get(self.key(parts[0], sign))
        if found is None and len(parts) > 1:
            found = self.ctx.names.member(self.key(parts[0]), self.key(parts[1], sign))
        return found

    def place(self, tokens: list[Token], statement: Statement, *, records: bool = False) -> Place | None:
        """The place a target of INTO, FETCH or an assignment means; an undeclared name becomes a variable."""
        sign, parts = _parts(tokens)
        if not parts:
            return None
        variables = self.ctx.names.variables
        found = variables.get(self.key(parts[0], sign))
        rest = parts[1:]
        if found is None and rest:
            found = self.ctx.names.member(self.key(parts[0]), self.key(rest[0], sign))
            if found is not None or self.key(parts[0]) in self.ctx.names.blocks:
                rest = rest[1:]
        if found is None:
            found = self.new(parts[0], sign, "record" if rest or records else "scalar", statement)
        if rest:
            return Place(found, rest[-1], self.key(rest[-1]))
        return Place(found)


def _parts(tokens: list[Token]) -> tuple[str, list[Token]]:
    """Sign and name parts of ``@x``, ``:rec.a``, ``t(i).b``."""
    sign = ""
    parts: list[Token] = []
    depth = 0
    for token in tokens:
        kind = token.token_type
        text = token.text
        if text in ("(", "["):
            depth += 1
        elif text in (")", "]"):
            depth -= 1
        elif depth or kind is TokenType.DOT:
            continue
        elif kind is TokenType.PARAMETER or text in ("@", ":"):
            sign += "@" if text == "@" else "$" if text == "$" else ""
        elif text and (
            text[0].isalpha() or text[0] in "_$#" or kind is TokenType.IDENTIFIER or kind is TokenType.NUMBER
        ):
            parts.append(token)
    return sign, parts


def name_tokens(name: Token, sign: str) -> list[Token]:
    """The tokens of a variable's name as they stand where it is used, with its sign."""
    if not sign:
        return [name]
    return [Token(TokenType.PARAMETER, sign, name.line, name.col, name.start - 1, name.start - 1), name]


def is_record(variable: Variable) -> bool:
    """Whether a variable has fields, by its type or by what was written to it."""
    columns = variable.entity.columns
    return variable.entity.sub_type != "scalar" or (bool(columns) and variable.key[0] not in columns)
