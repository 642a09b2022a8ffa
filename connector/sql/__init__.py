"""Reading scripts: dialects, statements with exact positions, identity, and the tolerant second reading."""

from connector.sql.dialects import SqlDialect, get_dialect, supported_dialects
from connector.sql.encoding import read_scripts, read_text
from connector.sql.split import ReadResult, read_fragment, read_statements
from connector.sql.statement import Statement
from connector.sql.tokens import TokenIndex

__all__ = [
    "ReadResult",
    "SqlDialect",
    "Statement",
    "TokenIndex",
    "get_dialect",
    "read_fragment",
    "read_scripts",
    "read_statements",
    "read_text",
    "supported_dialects",
]
