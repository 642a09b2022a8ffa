"""`lineage-connector serve`: the page with an editor and the store behind it."""

from __future__ import annotations

import logging
import os
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from connector.cli import flags
from connector.cli.output import configure_messages
from connector.errors import ConfigurationError
from connector.extras import missing_package

_log = logging.getLogger("connector")

_TOKEN = "LINEAGE_TOKEN"
_MEGABYTE = 1_000_000
_MOST_WORKERS = 4

StoreTarget = Annotated[
    str | None,
    typer.Option(
        "--store",
        "-s",
        metavar="FILE|URL",
        envvar="LINEAGE_STORE",
        help="Store to explore: a SQLite file, or postgresql://user@host/database.",
        show_default=f"{flags.DEFAULT_STORE} if it exists",
    ),
]
Host = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS", help="Address to listen on. Any other than that of the local machine requires a token."
    ),
]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 chooses a free one.")]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help=f"File with the token that clients must present; alternatively set the environment variable {_TOKEN}.",
    ),
]
AllowedHost = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", help="Additional host name of the server, for use behind a proxy. Can be given several times."
    ),
]
TrustedProxy = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS",
        help="Proxy on another machine whose X-Forwarded-For header is trusted, so that limits apply to each user. "
        "Can be given several times.",
    ),
]
Timeout = Annotated[float, typer.Option(min=0.1, metavar="SECONDS", help="Time limit for an analysis.")]
Memory = Annotated[int, typer.Option(min=50, metavar="MB", help="Memory limit for an analysis.")]
MaxSize = Annotated[float, typer.Option(min=0.001, metavar="MB", help="Maximum size of a request.")]
Rate = Annotated[int, typer.Option(min=1, metavar="N", help="Analyses per client and minute.")]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Maximum number of concurrent analyses.", show_default="one per processor, up to 4"
    ),
]
ShowLiterals = Annotated[
    bool,
    typer.Option("--show-literals", help="Show literals in the store's statements; they are masked by default."),
]
Open = Annotated[bool, typer.Option("--open", help="Open the page in a browser.")]


def serve(
    store: StoreTarget = None,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    token_file: TokenFile = None,
    allowed_host: AllowedHost = None,
    trusted_proxy: TrustedProxy = None,
    timeout: Timeout = 20.0,
    memory: Memory = 500,
    max_size: MaxSize = 5.0,
    rate: Rate = 120,
    workers: Workers = None,
    show_literals: ShowLiterals = False,
    open_page: Open = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Serve the lineage page: paste SQL to see its lineage, and explore a store.

    Listens only on the local machine unless --host is set. The address is printed to stderr; press Ctrl-C to stop.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    try:
        from connector.web.server import serve as run_server
        from connector.web.settings import ServeSettings
    except ModuleNotFoundError as error:
        raise missing_package(error, "serve") from None

    settings = ServeSettings(
        store=store or _store_here(),
        host=host,
        port=port,
        token=_token(token_file),
        allowed_hosts=tuple(allowed_host or ()),
        proxies=tuple(trusted_proxy or ()),
        seconds=timeout,
        memory_mb=memory,
        max_bytes=int(max_size * _MEGABYTE),
        rate=rate,
        workers=workers or min(os.cpu_count() or 1, _MOST_WORKERS),
        show_literals=show_literals,
    )

    def announce(address: str) -> None:
        if not quiet:
            typer.echo(f"Serving on {address}", err=True)
            if settings.store is None:
                typer.echo(f"{flags.DEFAULT_STORE} does not exist, so you can only analyse scripts.", err=True)
        if open_page:
            webbrowser.open(address)

    run_server(settings, announce)


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
