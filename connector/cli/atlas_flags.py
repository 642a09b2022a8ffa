"""The flags of the commands that talk to Atlas, and what they turn into. There is no flag for a password."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from connector.errors import ConfigurationError

if TYPE_CHECKING:
    from connector.catalogs.atlas import AtlasSettings

__all__ = ["atlas_extra", "settings_from"]

Config = Annotated[
    Path | None,
    typer.Option("--config", "-c", metavar="FILE", help="YAML file with a section atlas; flags win over it."),
]
Url = Annotated[str | None, typer.Option(metavar="URL", help="Address of Atlas.", show_default="ATLAS_URL")]
User = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="User name. The password comes from ATLAS_PASSWORD or --password-file, a token from ATLAS_TOKEN.",
        show_default="ATLAS_USER",
    ),
]
PasswordFile = Annotated[Path | None, typer.Option(metavar="FILE", help="File that holds the password.")]
TokenFile = Annotated[Path | None, typer.Option(metavar="FILE", help="File that holds a bearer token.")]
Kerberos = Annotated[bool, typer.Option("--kerberos", help="Log in with Kerberos (extra kerberos).")]
CaFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Certificates to trust, in PEM form.")]


@contextmanager
def atlas_extra() -> Iterator[None]:
    """Around the imports of the catalog's package, whose libraries a plain installation does not have."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("connector"):
            raise
        raise ConfigurationError(f"{error.name} is missing: pip install 'lineage-connector[atlas]'") from None


def settings_from(config: Path | None, **flags: Any) -> AtlasSettings:
    """The settings of the file with the flags over them, and the environment under them."""
    with atlas_extra():
        from pydantic import ValidationError

        from connector.catalogs.atlas import AtlasSettings
        from connector.catalogs.located import Located, read_yaml

    given = {name: value for name, value in flags.items() if value is not None}
    if given.pop("kerberos", False):
        given["auth"] = "kerberos"
    if config is None:
        try:
            return AtlasSettings.model_validate(given)
        except ValidationError as error:
            if any(problem["type"] == "missing" and problem["loc"] == ("url",) for problem in error.errors()):
                raise ConfigurationError("Say where Atlas is: --url, ATLAS_URL, or a file with --config.") from None
            first = error.errors(include_input=False)[0]
            raise ConfigurationError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    located = read_yaml(config)
    section = located.data.get("atlas") if isinstance(located.data, dict) else None
    if not isinstance(section, dict):
        raise ConfigurationError(f"{config}:1: there is no section atlas")
    lines = {path[1:]: line for path, line in located.lines.items() if path[:1] == ("atlas",)}
    return Located(config, {**section, **given}, lines).parse(AtlasSettings)
