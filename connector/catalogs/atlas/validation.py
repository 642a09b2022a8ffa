"""Checks a mapping against the types it uses, before anything is sent.

Atlas takes an attribute that a type does not have, answers 200 and drops it; so the mistake has to be found here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.mapping import FIELDS, PARENTS, Kind, Mapping, Rule, load_mapping
from connector.catalogs.atlas.typedefs import Attribute, TypeSystem, find_typedef_file, load_typedefs
from connector.catalogs.templates import Template
from connector.common.located_yaml import Located, Path_
from connector.errors import ConfigurationError

_NUMBERS = frozenset({"byte", "short", "int", "long", "float", "double", "biginteger", "bigdecimal", "date"})
_OWNERS = ("table", "view", "path", "stage")
"""What has columns."""
_BASES: dict[Kind, str] = {
    "table": "DataSet",
    "view": "DataSet",
    "path": "DataSet",
    "stage": "DataSet",
    "column": "DataSet",
    "process": "Process",
    "column_lineage": "Process",
}
"""What Atlas's lineage needs: data sets at the ends, processes between."""


def types_of_mapping(mapping: Mapping, located: Located) -> TypeSystem:
    """The types in the files that the mapping names."""
    documents = []
    for index, name in enumerate(mapping.typedefs):
        try:
            documents.append(load_typedefs(find_typedef_file(name, located.file.resolve().parent)))
        except ConfigurationError as error:
            raise ConfigurationError(f"{located.where(('typedefs', index))}: {error}") from error
    return TypeSystem(documents)


def check_mapping(mapping: Mapping, located: Located, types: TypeSystem, *, where_types: str = "typedefs") -> None:
    """Raise one error with all the mistakes, each with file, line and what is wrong."""
    mistakes: list[str] = []
    for kind, index, rule in mapping.rules():
        path: Path_ = ("entities", kind, index)
        if path not in located.lines:
            path = path[:-1]
        mistakes.extend(
            f"{located.where((*path, *inner))}: {'.'.join(map(str, (kind, *inner)))}: {text}"
            for inner, text in _mistakes(mapping, kind, rule, types, where_types)
        )
    missing = [
        level for level, kind in (("table", "process"), ("column", "column_lineage")) if _lacks(mapping, level, kind)
    ]
    mistakes.extend(
        f"{located.where(('levels',))}: levels: the level {level} is asked for, but entities has no rule for its processes"
        for level in missing
    )
    if mistakes:
        raise ConfigurationError("\n".join(mistakes))


def _lacks(mapping: Mapping, level: str, kind: str) -> bool:
    return level in mapping.levels and kind not in mapping.entities


def _mistakes(
    mapping: Mapping, kind: Kind, rule: Rule, types: TypeSystem, where_types: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    for field in rule.when:
        if field not in FIELDS[kind]:
            yield ("when", field), _no_field(field, kind)
    yield from _template_mistakes(kind, rule.qualifiedName, ("qualifiedName",))
    if rule.type not in types:
        yield ("type",), f"there is no type {rule.type} in the {where_types}"
        return
    base = _BASES.get(kind)
    if base is not None and not types.extends(rule.type, base):
        yield ("type",), f"{rule.type} does not extend {base}, so Atlas shows no lineage for it"
    attributes = types.attributes(rule.type)
    given_values = [("attributes", each) for each in rule.attributes.items()]
    for part, (name, value) in [*given_values, *(("initial", each) for each in rule.initial.items())]:
        at = (part, name)
        attribute = attributes.get(name)
        if name == "qualifiedName":
            yield at, "qualifiedName stands beside the attributes and not among them"
        elif attribute is None:
            yield at, f"{rule.type} has no attribute {name}{_similar(name, attributes)}"
        elif attribute.relationship:
            yield at, f"{name} points to another entity: put it under references"
        elif isinstance(value, Template):
            yield from _template_mistakes(kind, value, at)
            yield from _type_mistakes(kind, value, attribute, at)
        elif not _fits(value, attribute.type):
            yield at, f"{value!r} does not fit the attribute's type {attribute.type}"
    for name, parent in rule.references.items():
        yield from _reference_mistakes(mapping, kind, rule, types, name, parent)
    yield from _relationship_mistakes(kind, rule, types, where_types)
    given = {"qualifiedName", "inputs", "outputs", *rule.attributes, *rule.initial, *rule.references}
    for attribute in attributes.values():
        if attribute.mandatory and attribute.name not in given and rule.create:
            yield ("type",), f"{rule.type} cannot be without {attribute.name}, which the mapping does not give"


def _relationship_mistakes(
    kind: Kind, rule: Rule, types: TypeSystem, where_types: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The relationship has to be one of inputs, or the lineage answer would not show it."""
    name = rule.indirect_inputs
    if name is None:
        return
    at = ("indirect_inputs",)
    if kind not in ("process", "column_lineage"):
        yield at, f"a {kind} has no inputs"
    elif name not in types.relationships:
        yield at, f"there is no relationship {name} in the {where_types}"
    else:
        end = types.relationships[name]["endDef1"]
        if end["name"] != "inputs" or not types.extends(rule.type, end["type"]):
            yield at, f"{name} does not attach inputs to a {rule.type}"


def _reference_mistakes(
    mapping: Mapping, kind: Kind, rule: Rule, types: TypeSystem, name: str, parent: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    at = ("references", name)
    if parent not in PARENTS[kind]:
        offered = ", ".join(PARENTS[kind]) or "nothing"
        yield at, f"a {kind} cannot refer to {parent!r}; it has {offered}"
        return
    attribute = types.attributes(rule.type).get(name)
    if attribute is None:
        yield at, f"{rule.type} has no attribute {name}{_similar(name, types.attributes(rule.type))}"
        return
    for target in _targets(mapping, rule, parent):
        if target.type in types and not types.extends(target.type, attribute.type):
            yield at, f"{rule.type}.{name} points to {attribute.type}, and {target.type} is none"


def _targets(mapping: Mapping, rule: Rule, parent: str) -> list[Rule]:
    """The rules for what a reference may lead to; none of a kind that the mapping leaves out."""
    kinds: list[str] = [parent]
    if parent == "namespace":
        kinds = ["schema", "database"]
    elif parent == "table":
        patterns = rule.when.get("owner_kind", ["*"])
        kinds = [kind for kind in _OWNERS if any(fnmatchcase(kind, pattern) for pattern in patterns)]
    return [target for kind, _, target in mapping.rules() if kind in kinds]


def _template_mistakes(kind: Kind, template: Template, at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    for field in template.fields:
        if field not in FIELDS[kind]:
            yield at, _no_field(field, kind)


def _type_mistakes(
    kind: Kind, template: Template, attribute: Attribute, at: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Checks the kinds of value that a template can produce against the attribute's type."""
    single = template.single
    given = FIELDS[kind].get(single, "string") if single else "string"
    wanted = attribute.type
    number = given in _NUMBERS and wanted in _NUMBERS
    if wanted != given and not number:
        yield at, f"the template gives {given}, and the attribute's type is {wanted}"


def _fits(value: object, wanted: str) -> bool:
    if value is None:
        return True
    if isinstance(value, bool):
        return wanted == "boolean"
    if isinstance(value, int | float):
        return wanted in _NUMBERS
    if isinstance(value, list):
        return wanted.startswith("array<")
    return isinstance(value, dict) and wanted.startswith("map<")


def _no_field(field: str, kind: Kind) -> str:
    return f"a {kind} has no field {field}; it has {', '.join(FIELDS[kind])}"


def _similar(name: str, attributes: dict[str, Attribute]) -> str:
    """A hint where only the case or an underscore is wrong, the most frequent slip."""
    folded = name.replace("_", "").lower()
    for known in attributes:
        if known.replace("_", "").lower() == folded:
            return f"; did you mean {known}?"
    return ""


@dataclass(frozen=True, slots=True)
class CheckedMapping:
    """A mapping that fits the types in its files."""

    mapping: Mapping
    located: Located

    def check_against(self, client: AtlasClient) -> None:
        """The same check against the server, whose types may differ from those in the files."""
        where = f"types of {client.url}"
        try:
            check_mapping(self.mapping, self.located, TypeSystem([client.typedefs()]), where_types=where)
        except ConfigurationError as error:
            raise ConfigurationError(f"{error}\nCreate the connector's own types with: typedefs apply") from None


def checked_mapping(name: str) -> CheckedMapping:
    """Read a mapping and check it against its types; mistakes are reported with file and line."""
    mapping, located = load_mapping(name)
    check_mapping(mapping, located, types_of_mapping(mapping, located))
    return CheckedMapping(mapping, located)
