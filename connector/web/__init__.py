"""The page with an editor and the store behind it: a small HTTP server with a REST interface.

`create_app` makes the ASGI application, `serve` runs it. Neither is imported by the rest of the package: the server's
libraries are an extra, ``lineage-connector[serve]``.
"""
