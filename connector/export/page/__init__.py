"""The page: a lineage as one HTML file that people look at, and the same page for the server to serve.

`document` and `edges` say what is shown (plain data), `assemble` puts the files of ``assets`` and that data into one
text. The page draws nothing but its document, so a picture of one analysis and a picture of a store are the same thing.
"""

from connector.export.page.assemble import ServerPage, render_page, server_page
from connector.export.page.document import page_document
from connector.export.page.edges import (
    PageColumn,
    PageColumnEdge,
    PageObject,
    PageProcess,
    PageTableEdge,
    edges_document,
)

__all__ = [
    "PageColumn",
    "PageColumnEdge",
    "PageObject",
    "PageProcess",
    "PageTableEdge",
    "ServerPage",
    "edges_document",
    "page_document",
    "render_page",
    "server_page",
]
