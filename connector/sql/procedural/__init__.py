"""Reading stored routines: heads, bodies in and out of quotes, and the steps that bodies are made of."""

from connector.sql.procedural.heads import Head, read_head
from connector.sql.procedural.reading import is_procedural, read_steps
from connector.sql.procedural.steps import Parameter

__all__ = ["Head", "Parameter", "is_procedural", "read_head", "read_steps"]
