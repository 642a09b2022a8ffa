"""The settings of a catalog as flags. Each catalog declares which of its settings are flags; their help is that of the settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from connector.cli.flags import Flag
from connector.errors import ConfigurationError

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from connector.catalogs import AnyCatalog
    from connector.catalogs.catalog import DeliverySettings


def login_flags(catalog: type[AnyCatalog]) -> list[Flag]:
    """Where the catalog is, and how to log in there."""
    section = f"lineage.yaml, or a YAML file with a section {catalog.name}; flags take precedence."
    config = Annotated[Path | None, typer.Option("--config", "-c", metavar="FILE", help=section)]
    return [Flag("config", config, None), *setting_flags(catalog, catalog.login_flags)]


def setting_flags(catalog: type[AnyCatalog], wanted: Mapping[str, str]) -> list[Flag]:
    """A flag for each of these settings, with what is used when it is left out."""
    fields = catalog.settings_class.model_fields
    return [_flag(name, fields[name], default) for name, default in wanted.items()]


def settings_from(catalog: type[AnyCatalog], config: Path | None, given: Mapping[str, Any]) -> Any:
    """The settings of the file with the flags over them, and the environment under them."""
    from connector.common.located_yaml import Located

    model = catalog.settings_class
    flags = {name: value for name, value in given.items() if name in model.model_fields and value not in (None, False)}
    if config is not None:
        from connector.settings.loading import catalog_section

        section = catalog_section(config, catalog.name, model)
        return Located(config, {**section.data, **flags}, section.lines).parse(model)
    return _from_flags(catalog, flags)


def _from_flags(catalog: type[AnyCatalog], flags: Mapping[str, Any]) -> DeliverySettings:
    from pydantic import ValidationError

    try:
        return catalog.settings_class.model_validate(flags)
    except ValidationError as error:
        problems = error.errors(include_input=False, include_url=False)
        if any(problem["type"] == "missing" and problem["loc"] == ("url",) for problem in problems):
            variable = catalog.login_flags["url"]
            raise ConfigurationError(
                f"The address of {catalog.title} is missing; set --url, {variable}, or a file with --config."
            ) from None
        first = problems[0]
        where = ".".join(map(str, first["loc"]))
        text = first["msg"].removeprefix("Value error, ")
        raise ConfigurationError(f"{where}: {text}" if where else f"{catalog.title}: {text}") from None


_DEFAULT = re.compile(r"; [^;.]*\bby default|; defaults to [^;.]*| Defaults to [^.]*\.")
"""What a description says of the default in ``lineage.yaml``: the help shows that of the flag."""


def _flag(name: str, field: FieldInfo, shown: str) -> Flag:
    kind = field.annotation
    text = _DEFAULT.sub("", " ".join((field.description or "").replace("``", "").split()))
    if kind is bool:
        return Flag(name, Annotated[bool, typer.Option(_named(name), help=text)], False)
    metavar = (
        "URL"
        if name == "url"
        else "FILE"
        if kind in (Path, Path | None)
        else "NAME"
        if kind in (str, str | None)
        else None
    )
    option = typer.Option(_named(name), metavar=metavar, help=text, show_default=shown)
    return Flag(name, Annotated[kind | None, option], None)  # type: ignore[operator]


def _named(name: str) -> str:
    return "--" + name.replace("_", "-")
