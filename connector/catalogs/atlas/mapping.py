"""Mappings: which Atlas type an object of the model becomes, under which name and with which attributes.

The fields that templates may use, and the types of their values, are one table, so that the mapping's check, the records and the
documentation cannot say different things.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BeforeValidator, Field

from connector.catalogs.templates import (
    AS_WRITTEN,
    LISTED,
    MappingFile,
    MappingModel,
    NameTemplate,
    Patterns,
    Template,
    find_mapping,
)
from connector.common.located_yaml import Located, read_yaml

Kind = Literal[
    "instance",
    "database",
    "schema",
    "bucket",
    "table",
    "view",
    "path",
    "stage",
    "column",
    "procedure",
    "process",
    "column_lineage",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""Parents before children: the order in which they are written."""


def _texts(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "string")


def _lists(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "array<string>")


_PLACE = _texts("cluster", "dialect")
_DATABASE = {**_PLACE, **_texts("database")}
_SCHEMA = {**_DATABASE, **_texts("schema")}
_DATASET = {**_SCHEMA, **_texts("table", "name", "qualified_name", "type", "sub_type")}
_FILES = _texts("uri", "scheme", "bucket", "path", "file_format")
_TEXT = _texts("coordinates", "script")
_STATEMENT = {
    **_DATABASE,
    **_texts("title", "procedure", "query_hash_id", "process_type"),
    **_lists("relation_types", "effect_types", "direct_inputs", "indirect_inputs"),
}

FIELDS: Final[dict[Kind, dict[str, str]]] = {
    "instance": _PLACE,
    "database": _DATABASE,
    "schema": _SCHEMA,
    "bucket": {**_PLACE, **_texts("scheme", "bucket")},
    "table": _DATASET,
    "view": _DATASET,
    "path": {**_DATASET, **_FILES},
    "stage": {**_DATASET, **_FILES},
    "column": {**_DATASET, **_texts("column", "owner", "owner_kind"), "row_column": "boolean"},
    "procedure": {**_SCHEMA, **_TEXT, **_texts("procedure", "name", "type"), **_lists("arguments")},
    "process": {
        **_STATEMENT,
        **_TEXT,
        **_texts("qualified_name", "text_hash_id", "query_text"),
        "approximate": "boolean",
        "first_seen": "date",
        "last_seen": "date",
        "run_count": "long",
        "load_time": "date",
        **_lists("row_inputs", "sources"),
        **_texts("target"),
    },
    "column_lineage": {
        **_STATEMENT,
        **_texts("process", "column", "target"),
        **_lists("clause_types"),
        **_texts("dependency", "expression"),
        **_lists("transformations"),
    },
}

PARENTS: Final[dict[Kind, tuple[str, ...]]] = {
    "instance": (),
    "database": ("instance",),
    "schema": ("instance", "database", "namespace"),
    "bucket": ("instance",),
    "table": ("instance", "database", "schema", "namespace"),
    "view": ("instance", "database", "schema", "namespace"),
    "path": ("instance", "bucket"),
    "stage": ("instance", "database", "schema", "namespace", "bucket"),
    "column": ("table",),
    "procedure": ("instance", "database", "schema", "namespace"),
    "process": ("instance", "database", "procedure"),
    "column_lineage": ("process",),
}
"""What each kind may refer to. ``namespace`` is the schema, or the database where there are no schemas."""


def _value(value: Any) -> Any:
    return Template.parse(value) if isinstance(value, str) else value


Value = Annotated[Any, BeforeValidator(_value), AS_WRITTEN]


class Rule(MappingModel):
    """How one kind of object is written."""

    type: str
    """Name of the Atlas type."""
    qualifiedName: NameTemplate  # noqa: N815 - the attribute's name in Atlas
    attributes: dict[str, Value] = Field(default_factory=dict)
    """Attributes that are ours: templates, or plain values. All others are left as they are."""
    initial: dict[str, Value] = Field(default_factory=dict)
    """Attributes that a new object gets, and that are left alone from then on."""
    references: dict[str, str] = Field(default_factory=dict)
    """Attributes that point to another object of the mapping, by its kind."""
    create: bool = True
    """Write the object when the catalog does not have it; otherwise it is reported as missing."""
    update: bool = True
    """Write our attributes to objects that the catalog has already."""
    indirect_inputs: str | None = None
    """Relationship through which the inputs of a process that only decide about its outputs are attached: one over which
    classifications do not travel. Without it they are inputs like all others."""
    when: Patterns = Field(default_factory=dict)
    """The values that fields must have for this rule, as patterns; the first rule that fits is taken."""

    def fits(self, fields: dict[str, Any]) -> bool:
        return all(
            any(fnmatchcase(str(fields.get(field) or ""), pattern) for pattern in patterns)
            for field, patterns in self.when.items()
        )

    @property
    def sources_attribute(self) -> str | None:
        """The attribute that names the inputs in which a statement was found."""
        templates = ((name, value) for name, value in self.attributes.items() if isinstance(value, Template))
        return next((name for name, template in templates if template.single == "sources"), None)


Rules = Annotated[list[Rule], LISTED]


class Mapping(MappingFile):
    """A whole mapping file."""

    typedefs: list[str]
    """The files with the types that the mapping uses, its own and those that come with Atlas."""
    case: Literal["keep", "lower", "upper"] = "keep"
    """Case of the names of databases, schemas, tables and columns."""
    levels: list[Literal["table", "column"]] = Field(default=["table", "column"], min_length=1)
    relations: list[Literal["fdd", "fdr"]] = Field(default=["fdd", "fdr"], min_length=1)
    """Data flow, impact, or both."""
    row_columns: bool = True
    """Write the system columns that stand for the rows of a table. What only decides which rows there are leads to them."""
    column_position: str | None = None
    """Attribute in which the catalog keeps a column's place in its table. Where it is given, the columns of the tables that
    the catalog knows help to read the statements."""
    objects: Literal["all", "lineage"] = "all"
    """Every table that a script names, or only those that lineage starts or ends at."""
    entities: dict[Kind, Rules]

    def cased(self, name: str | None) -> str | None:
        """A name in the case that the catalog wants."""
        if name is None or self.case == "keep":
            return name
        return name.lower() if self.case == "lower" else name.upper()

    def rule(self, kind: Kind, fields: dict[str, Any]) -> Rule | None:
        """The rule for an object. Views are tables where a mapping does not tell them apart."""
        rules = self.entities.get(kind)
        if rules is None and kind == "view":
            rules = self.entities.get("table")
        return next((rule for rule in rules or () if rule.fits(fields)), None)

    def rules(self) -> Iterator[tuple[Kind, int, Rule]]:
        """All rules with their place in the file."""
        for kind in KINDS:
            for index, rule in enumerate(self.entities.get(kind, ())):
                yield kind, index, rule


def load_mapping(name: str | Path) -> tuple[Mapping, Located]:
    """Read a mapping, and keep its lines for messages about it."""
    located = read_yaml(find_mapping(str(name), lambda shipped: shipped != "openmetadata"))
    return located.parse(Mapping), located
