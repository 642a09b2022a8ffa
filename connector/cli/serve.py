"""`lineage-connector serve` and `mcp`: the store for people, with a page and an editor, and for assistants."""

from __future__ import annotations

import logging
import os
import webbrowser
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from connector.cli import flags
from connector.cli.output import configure_messages
from connector.common.extras import missing_package
from connector.errors import ConfigurationError
from connector.web.settings import ServeSettings

_log = logging.getLogger("connector")

_TOKEN = "LINEAGE_TOKEN"
_MEGABYTE = 1_000_000
_MOST_WORKERS = 4

_SETTINGS = {
    "store": Annotated[
        str | None,
        typer.Option(
            "--store",
            "-s",
            metavar="FILE|URL",
            envvar="LINEAGE_STORE",
            help="Store to explore: a SQLite file, or postgresql://user@host/database.",
            show_default=f"{flags.DEFAULT_STORE} if it exists",
        ),
    ],
    "host": Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Address to listen on. Any other than that of the local machine requires a token."
        ),
    ],
    "port": Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 chooses a free one.")],
    "token": Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            metavar="FILE",
            help=f"File with the token that clients must present; alternatively set the environment variable {_TOKEN}.",
        ),
    ],
    "allowed_hosts": Annotated[
        list[str] | None,
        typer.Option(
            "--allowed-host",
            metavar="NAME",
            help="Additional host name of the server, for use behind a proxy. Can be given several times.",
        ),
    ],
    "proxies": Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            metavar="ADDRESS",
            help="Proxy on another machine whose X-Forwarded-For header is trusted, so that limits apply to each user. "
            "Can be given several times.",
        ),
    ],
    "seconds": Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="Time limit for an analysis.")
    ],
    "memory_mb": Annotated[int, typer.Option("--memory", min=50, metavar="MB", help="Memory limit for an analysis.")],
    "max_mb": Annotated[float, typer.Option("--max-size", min=0.001, metavar="MB", help="Maximum size of a request.")],
    "rate": Annotated[int, typer.Option(min=1, metavar="N", help="Analyses per client and minute.")],
    "workers": Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Maximum number of concurrent analyses.", show_default="one per processor, up to 4"
        ),
    ],
    "show_literals": Annotated[
        bool,
        typer.Option("--show-literals", help="Show literals in the store's statements; they are masked by default."),
    ],
}
"""The flag of each field of `ServeSettings`; `_settings` turns their values into the fields'."""
Open = Annotated[bool, typer.Option("--open", help="Open the page in a browser.")]


def _serve(open_page: Open = False, quiet: flags.Quiet = False, verbose: flags.Verbose = False, **given: Any) -> None:
    """Serve the lineage page: paste SQL to see its lineage, and explore a store.

    Listens only on the local machine unless --host is set. The address is printed to stderr; press Ctrl-C to stop.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    try:
        from connector.web.server import serve as run_server
    except ModuleNotFoundError as error:
        raise missing_package(error, "serve") from None
    settings = _settings(**given)

    def announce(address: str) -> None:
        if not quiet:
            typer.echo(f"Serving on {address}", err=True)
            if settings.store is None:
                typer.echo(f"{flags.DEFAULT_STORE} does not exist, so you can only analyse scripts.", err=True)
        if open_page:
            webbrowser.open(address)

    run_server(settings, announce)


_DEFAULTS = {
    **asdict(ServeSettings()),
    "allowed_hosts": None,
    "proxies": None,
    "max_mb": ServeSettings().max_bytes / _MEGABYTE,
    "workers": None,
}
serve = flags.with_flags(
    _serve, [flags.Flag(name, shown, _DEFAULTS[name]) for name, shown in _SETTINGS.items()], before="open_page"
)


def _settings(
    *, store: str | None, token: Path | None, max_mb: float, workers: int | None, **others: Any
) -> ServeSettings:
    hosts, proxies = (tuple(others.pop(name) or ()) for name in ("allowed_hosts", "proxies"))
    return ServeSettings(
        store=store or _store_here(),
        token=_token(token),
        max_bytes=int(max_mb * _MEGABYTE),
        workers=workers or min(os.cpu_count() or 1, _MOST_WORKERS),
        allowed_hosts=hosts,
        proxies=proxies,
        **others,
    )


def _store_here() -> str | None:
    return flags.DEFAULT_STORE if Path(flags.DEFAULT_STORE).exists() else None


def _token(file: Path | None) -> str | None:
    if file is None:
        return os.environ.get(_TOKEN) or None
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigurationError(f"Cannot read the token from {file}: {reason}.") from error
    if not token:
        raise ConfigurationError(f"The file {file} contains no token.")
    return token


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
