"""Reading scripts: dialects, statements with exact positions, identity, and the tolerant second reading."""

from typing import TYPE_CHECKING

from connector.lazy import lazy_names

if TYPE_CHECKING:
    from connector.sql.dialects import SqlDialect, get_dialect, supported_dialects
    from connector.sql.encoding import read_scripts, read_text
    from connector.sql.split import ReadResult, read_fragment, read_statements
    from connector.sql.statement import Statement
    from connector.sql.tokens import TokenIndex
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "dialects": ("SqlDialect", "get_dialect", "supported_dialects"),
            "encoding": ("read_scripts", "read_text"),
            "split": ("ReadResult", "read_fragment", "read_statements"),
            "statement": ("Statement",),
            "tokens": ("TokenIndex",),
        },
    )

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
