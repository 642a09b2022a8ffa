"""`lineage-connector mcp`: the store's answers for assistants."""

from __future__ import annotations

from connector.cli import flags
from connector.cli.output import configure_messages
from connector.common.extras import missing_package


def mcp(
    store: flags.StoreTarget = flags.DEFAULT_STORE,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Answer an assistant's questions about a store, over stdin and stdout (Model Context Protocol).

    The tools search the store and show what a table or column is made from, what it feeds, what a change to it affects,
    and how a column is computed. They only read, and literals in SQL are masked.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    try:
        from connector.mcp_server import lineage_server
    except ModuleNotFoundError as error:
        raise missing_package(error, "mcp") from error
    from connector.store import QUERY_SECONDS, Store

    reader = Store.open(store, create=False, seconds=QUERY_SECONDS)
    try:
        lineage_server(reader).run("stdio")
    finally:
        reader.close()
