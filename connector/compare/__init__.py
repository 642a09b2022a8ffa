"""Lineage before and after: what a change of scripts adds and removes.

Statements are compared by what they do, not by their text: an edge is a type and two names. A statement that is only laid
out anew, or moved to another file, changes nothing.
"""

from connector.compare.difference import Difference, difference
from connector.compare.documents import document_edges, document_level, model_of_document
from connector.compare.edges import ComparedLevel, Edge, model_edges

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
