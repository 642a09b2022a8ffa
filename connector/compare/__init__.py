"""Lineage before and after: what a change to scripts adds and removes.

Statements are compared by what they do, not by their text: an edge is a type and two names. Reformatting a
statement, or moving it to another file, makes no difference.
"""

from connector.compare.difference import ComparedLevel, Difference, Edge, difference, model_edges
from connector.compare.documents import document_edges, document_level, model_of_document

__all__ = [
    "ComparedLevel",
    "Difference",
    "Edge",
    "difference",
    "document_edges",
    "document_level",
    "model_edges",
    "model_of_document",
]
