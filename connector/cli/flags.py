"""The flags that commands share, so that a flag has one name, one meaning and one help text everywhere."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

import typer

from connector.errors import ConfigurationError
from connector.export import FORMATS, Level
from connector.options import Options, Switches, explain_options
from connector.request import AnalysisRequest
from connector.sql.dialects import supported_dialects

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from connector.catalogs import AnyCatalog
    from connector.catalogs.catalog import DeliverySettings
    from connector.guard import Limits


def _complete_dialect(incomplete: str) -> list[str]:
    return [name for name in supported_dialects() if name.startswith(incomplete)]


def _complete_format(incomplete: str) -> list[str]:
    return [name for name in FORMATS if name.startswith(incomplete)]


# --- what is read -----------------------------------------------------------------------------------------------

Inputs = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="FILE|DIR|-",
        help="SQL scripts, folders to search for them, or - for stdin. All of them form one model.",
        show_default=False,
    ),
]


def inputs_or_stdin(inputs: list[Path] | None) -> list[Path]:
    """The inputs; stdin if none are named, unless it is a terminal."""
    if not inputs and sys.stdin.isatty():
        raise ConfigurationError("Specify SQL scripts or folders, or - for stdin.")
    return inputs or [Path("-")]


Dialect = Annotated[
    str,
    typer.Option(
        "--dialect",
        "-d",
        metavar="NAME",
        help="SQL dialect of the scripts; see the command dialects.",
        autocompletion=_complete_dialect,
    ),
]
Metadata = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE", help="Columns of known tables: JSON files or DDL scripts. Can be given several times."
    ),
]
DefaultDatabase = Annotated[str | None, typer.Option(metavar="NAME", help="Database of unqualified names.")]
DefaultSchema = Annotated[str | None, typer.Option(metavar="NAME", help="Schema of unqualified names.")]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Instance or server of the tables: the part of a qualified name after the @."),
]

# --- what is written, and where -----------------------------------------------------------------------------------

AnyLevel = Annotated[
    Level | None,
    typer.Option(
        "--level",
        "-l",
        help="Level of detail: every step, only table columns, or only tables.",
        show_default="the first one that the format supports",
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        "-f",
        metavar="NAME",
        help=f"Output format: {', '.join(FORMATS)}.",
        autocompletion=_complete_format,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write the result to a file; - for stdout.", show_default="-"),
]
Color = Annotated[
    bool | None,
    typer.Option(help="Use colours in the text format.", show_default="on a terminal, unless NO_COLOR is set"),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show fatal errors only.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show progress.")]

# --- the store -----------------------------------------------------------------------------------------------------------

DEFAULT_STORE = "lineage.db"

StoreTarget = Annotated[
    str,
    typer.Option(
        "--store",
        "-s",
        metavar="FILE|URL",
        envvar="LINEAGE_STORE",
        help="SQLite file of the store, or postgresql://user@host/database.",
    ),
]
Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="A table, view, path, stage or column: its qualified name, or any unambiguous ending of it (schema.table, table, "
        "table.column).",
        show_default=False,
    ),
]
Depth = Annotated[int | None, typer.Option(min=1, metavar="N", help="Number of steps to follow.", show_default="all")]
WithColumns = Annotated[bool, typer.Option("--columns", help="Follow columns instead of tables.")]
SourceName = Annotated[
    str | None,
    typer.Option("--source", metavar="NAME", help="Name of the source of the scripts.", show_default="the inputs"),
]
RunName = Annotated[
    str | None,
    typer.Option("--run", metavar="ID", help="Loads with the same id form one run.", show_default="a new one"),
]


class SummaryForm(str, Enum):
    text = "text"
    json = "json"


class TraceForm(str, Enum):
    text = "text"
    json = "json"
    csv = "csv"
    mermaid = "mermaid"
    dot = "dot"


# --- how it is analysed ---------------------------------------------------------------------------------------------

_SHOWN = {"namespace": ("NAME", "the cluster"), "event_time": ("TIME", None), "query_identity": (None, "text")}
"""The placeholder of a value in the help, and what is shown as its default."""

_TIMEOUT = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        metavar="SECONDS",
        help="Time limit for a statement; one that exceeds it is reported and skipped.",
        show_default="no limit, 30 with --memory",
    ),
]
_MEMORY = Annotated[
    int | None,
    typer.Option(
        min=50,
        metavar="MB",
        help="Memory limit for a statement; one that exceeds it is reported and skipped.",
        show_default="no limit, 500 with --timeout",
    ),
]

DISPLAY = tuple(field.name for field in fields(Switches) if field.name != "color")
"""The options that decide what is shown of a model. Colour is decided by the terminal, too."""
ANALYSIS = tuple(field.name for field in fields(Options) if field.name not in {*DISPLAY, "color"})
"""The options that decide what is in a model."""

Command: TypeAlias = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Flag:
    """A parameter of a command."""

    name: str
    annotation: Any
    default: Any = None

    def parameter(self) -> Parameter:
        return Parameter(self.name, Parameter.KEYWORD_ONLY, default=self.default, annotation=self.annotation)


_READING = (
    Flag("dialect", Dialect, "ansi"),
    Flag("metadata", Metadata),
    Flag("default_database", DefaultDatabase),
    Flag("default_schema", DefaultSchema),
    Flag("cluster", Cluster),
)
_LIMITS = (Flag("timeout", _TIMEOUT), Flag("memory", _MEMORY))


def option_flags(names: Iterable[str]) -> list[Flag]:
    """A flag for each of these fields of `Options`, with its name, type, default and description."""
    types, texts, defaults = get_type_hints(Options), explain_options(), Options()
    found = []
    for name in names:
        text = " ".join(texts[name].replace("``", "").split())
        default = getattr(defaults, name)
        metavar, shown = _SHOWN.get(name, (None, None))
        # A flag that only turns something on needs no negative form.
        named = [f"--{name.replace('_', '-')}"] if default is False else []
        option = typer.Option(*named, help=text, metavar=metavar, show_default=shown or True)
        found.append(Flag(name, Annotated[types[name], option], default))
    return found


def analyses(*options: str) -> Callable[[Command], Command]:
    """Turns a function with a parameter `request` into a command that has the flags of the analysis instead.

    These are the dialect, metadata, defaults of names and limits, and the options that the command can use.
    """

    def decorate(command: Command) -> Command:
        own = list(signature(command, eval_str=True).parameters.values())
        flags = (*option_flags(options), *_LIMITS)
        shown = [
            parameter
            for each in own
            for parameter in (
                [flag.parameter() for flag in _READING]
                if each.name == "request"
                else [*(flag.parameter() for flag in flags), each]
                if each.name == "quiet"
                else [each]
            )
        ]

        def called(**given: Any) -> None:
            reading = {flag.name: given.pop(flag.name) for flag in _READING}
            reading["metadata"] = tuple(reading["metadata"] or ())
            chosen = Options(**{name: given.pop(name) for name in options})
            limits = _limits(given.pop("timeout"), given.pop("memory"))
            command(request=AnalysisRequest(**reading, options=chosen, limits=limits), **given)

        return with_parameters(called, shown, command.__doc__)

    return decorate


def with_parameters(called: Command, parameters: Iterable[Parameter], text: str | None) -> Command:
    """The function with the signature that typer reads, and the text of its help."""
    kept = Parameter.VAR_KEYWORD
    every = [each if each.kind is kept else each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters]
    called.__doc__ = text
    called.__signature__ = Signature(every)  # type: ignore[attr-defined]  # typer reads it, typeshed lacks it
    called.__annotations__ = {}
    return called


def with_flags(command: Command, flags: Iterable[Flag], *, before: str = "quiet") -> Command:
    """The command with more flags, which it gets as keywords."""
    own = [
        each for each in signature(command, eval_str=True).parameters.values() if each.kind is not Parameter.VAR_KEYWORD
    ]
    at = next((place for place, each in enumerate(own) if each.name == before), len(own))

    def called(**given: Any) -> None:
        command(**given)

    return with_parameters(called, (*own[:at], *(flag.parameter() for flag in flags), *own[at:]), command.__doc__)


def _limits(seconds: float | None, memory_mb: int | None) -> Limits | None:
    """The limits of --timeout and --memory; None if neither is given."""
    if seconds is None and memory_mb is None:
        return None
    from connector.guard import Limits

    default = Limits()
    return Limits(
        default.seconds if seconds is None else seconds, default.memory_mb if memory_mb is None else memory_mb
    )


# --- the settings of a catalog, which declares those that are flags; their help is that of the settings ------------------


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
