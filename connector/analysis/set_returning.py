"""Functions that return rows: the columns they have unless the query names them, and which may be used in a select list."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

from connector.sql.dialects import SqlDialect

_OUTPUTS: Final[dict[str, tuple[str, ...]]] = {
    "explode": ("col",),
    "explode_outer": ("col",),
    "explodeouter": ("col",),
    "json_array_elements": ("value",),
    "json_array_elements_text": ("value",),
    "json_each": ("key", "value"),
    "json_each_text": ("key", "value"),
    "jsonb_array_elements": ("value",),
    "jsonb_array_elements_text": ("value",),
    "jsonb_each": ("key", "value"),
    "jsonb_each_text": ("key", "value"),
    "numbers": ("number",),
    "openjson": ("key", "value", "type"),
    "posexplode": ("pos", "col"),
    "posexplode_outer": ("pos", "col"),
    "posexplodeouter": ("pos", "col"),
    "split_to_table": ("seq", "index", "value"),
    "splittotable": ("seq", "index", "value"),
    "string_split": ("value", "ordinal"),
    "strtok_split_to_table": ("seq", "index", "value"),
    "strtoksplittotable": ("seq", "index", "value"),
}
"""By the function's name, or the name of its class in the grammar."""

_SQLITE_JSON: Final = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path")

_OUTPUTS_IN: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "hive": {"posexplode": ("pos", "val")},
    "impala": {},
    "sparksql": {"range": ("id",)},
    "sqlite": {"json_each": _SQLITE_JSON, "json_tree": _SQLITE_JSON},
    "tsql": {"generateseries": ("value",)},
}
"""What differs in a dialect or a family."""
_NONE: Final[dict[str, tuple[str, ...]]] = {}

_NAMED_BY_ALIAS: Final = frozenset(
    """
    explodinggenerateseries generate_series generateseries generate_subscripts json_object_keys jsonb_object_keys
    jsonb_path_query range regexp_matches regexp_split_to_table string_to_table unnest
    """.split()
)
"""Functions of one column, which is called as the function or, in PostgreSQL and its relatives, as the alias."""

_MAKES_ROWS: Final = frozenset(
    """
        arrayjoin explode explode_outer explodeouter explodinggenerateseries generate_subscripts inline inline_outer
        json_array_elements json_array_elements_text json_each json_each_text json_object_keys jsonb_array_elements
        jsonb_array_elements_text jsonb_each jsonb_each_text jsonb_object_keys jsonb_path_query posexplode
        posexplode_outer posexplodeouter regexp_matches regexp_split_to_table stack string_to_table unnest
        """.split()
)
"""Functions that multiply the rows of the query in whose select list they stand."""


def _name(call: Any) -> str:
    return str(call.name).lower() if call.__class__ is exp.Anonymous else str(call.key)


def output_names(call: Any, dialect: SqlDialect) -> tuple[str, ...]:
    """The columns of a table function that its documentation lists; nothing where it lists none."""
    name = _name(call)
    if name == "generateseries" and call.args.get("is_end_exclusive"):
        name = "range"
    if name == "stack":
        return tuple(f"col{place}" for place in range(len(stacked_columns(call))))
    found = dialect.of(_OUTPUTS_IN, _NONE).get(name)
    return found if found is not None else _OUTPUTS.get(name, ())


def stacked_columns(call: Any) -> list[list[Any]]:
    """``stack(2, 'x', a, 'y', b)``: the values of each column, row by row; nothing for any other function."""
    if _name(call) != "stack":
        return []
    values = call.args.get("expressions") or []
    count = call.args["this"]
    if call.__class__ is exp.Anonymous:
        # Older releases of sqlglot do not know the function.
        count, values = values[0] if values else None, values[1:]
    if count.__class__ is not exp.Literal or not count.name.isdigit() or not values:
        return []
    width = -(-len(values) // max(int(count.name), 1))
    return [values[place::width] for place in range(width)]


def takes_name_of_alias(call: Any) -> str | None:
    """The name of a function of one column that has no name of its own; None for every other function."""
    if call.__class__ is exp.Column:
        # TABLE(collection)
        return "column_value"
    name = _name(call)
    if name not in _NAMED_BY_ALIAS:
        return None
    if name in ("generateseries", "explodinggenerateseries"):
        return "range" if call.args.get("is_end_exclusive") else "generate_series"
    return name


def makes_rows(call: Any) -> bool:
    """Whether the function multiplies the rows of the query in whose select list it stands."""
    return _name(call) in _MAKES_ROWS
