"""Metadata from DDL: the columns of the tables and views that a set of scripts creates, as they are after the last statement."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import TokenType

from connector.analysis.analyser import Analyser
from connector.metadata import MappingMetadata, TableInfo
from connector.model import Model, Script
from connector.naming import unquote
from connector.options import Options
from connector.sql.dialects import SqlDialect
from connector.sql.masked_names import derived_names
from connector.sql.split import read_statements
from connector.sql.statement import Statement

_DEFINING_NOTHING = frozenset(
    "BEGIN CALL COMMENT COMMIT COPY DECLARE DELETE EXEC EXECUTE EXPLAIN GRANT INSERT LOAD MERGE REVOKE UPDATE".split()
)
_ROUTINES = frozenset("FUNCTION PACKAGE PROC PROCEDURE TRIGGER".split())
_HEAD = 6
"""So many words of a CREATE say what it creates."""


def read_definitions(
    scripts: Sequence[Script],
    dialect: SqlDialect,
    *,
    default_database: str | None = None,
    default_schema: str | None = None,
) -> MappingMetadata:
    """The columns of everything lasting that the scripts create, under the names they create it by.

    Statements that only move data are passed over: whole warehouses are read for the few that define something.
    """
    analyser = Analyser.of_scripts(scripts, Model(vendor=dialect.vendor), dialect, Options(), None)
    catalog = analyser.ctx.catalog
    catalog.use_names(default_database, default_schema)
    defaults = catalog.defaults
    for script in scripts:
        catalog.restore(defaults)
        for statement in read_statements(script, dialect).statements:
            if _defines(statement):
                analyser.statement(statement)
    found = MappingMetadata()
    for table in catalog.known_tables():
        entity = table.entity
        if entity.temporary:
            continue
        parts = [part for part in (entity.database, entity.schema, entity.table) if part]
        columns = tuple(str(unquote(name)) for name in (table.known or {}).values())
        said = entity.description
        types = tuple(said.types.get(key) for key in table.known or {}) if said is not None and said.types else ()
        comment = said.comment if said is not None else None
        masked = {**analyser.ctx.builder.masked, **dict(derived_names((table.known or {}).values()))}
        found.add(
            parts,
            TableInfo(
                columns,
                entity.kind == "view",
                types,
                comment,
                tuple((name, masked[name]) for name in columns if name in masked) if masked else (),
            ),
        )
    return found


def _defines(statement: Statement) -> bool:
    """Whether a table or view may come of the statement, or the meaning of later names."""
    words = [token.text.upper() for token in statement.tokens[:_HEAD]]
    if words[0] in _DEFINING_NOTHING or (words[0] == "CREATE" and not _ROUTINES.isdisjoint(words)):
        return False
    if words[0] in ("SELECT", "WITH"):
        return any(token.token_type is TokenType.INTO for token in statement.tokens)
    return True
