"""Which variable a name means, and the making of variables that nobody declared."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.context import Context
from connector.analysis.routines.variables import Variable
from connector.analysis.rowset import Rowset
from connector.sql.statement import Statement

__all__ = ["Place", "VariableScope", "name_tokens"]


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
        if found is None and len(parts) > 1 and self.key(parts[0]) in self.ctx.names.blocks:
            found = variables.get(self.key(parts[1], sign))
        return found

    def place(self, tokens: list[Token], statement: Statement, *, records: bool = False) -> Place | None:
        """The place a target of INTO, FETCH or an assignment means; a name nobody declared becomes a variable."""
        sign, parts = _parts(tokens)
        if not parts:
            return None
        variables = self.ctx.names.variables
        found = variables.get(self.key(parts[0], sign))
        rest = parts[1:]
        if found is None and rest and self.key(parts[0]) in self.ctx.names.blocks:
            found = variables.get(self.key(rest[0], sign))
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
