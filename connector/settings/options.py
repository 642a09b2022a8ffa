"""The options of the analysis as a section of the settings.

The names, the defaults and the explanations are those of :class:`connector.options.Options`; nothing is repeated here.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import asdict
from typing import Annotated, Any, TypeAlias

from pydantic import ConfigDict, GetCoreSchemaHandler, GetPydanticSchema
from pydantic.dataclasses import dataclass
from pydantic_core import CoreSchema, core_schema

from connector.options import Options, Switches

__all__ = ["OptionsField", "explain_options"]

_Checked = dataclass(Options, config=ConfigDict(extra="forbid"), frozen=True)
"""The same class with pydantic's validation. It never leaves this module: a worker could not unpickle it."""


def _readable(value: Any) -> Any:
    return asdict(value) if isinstance(value, Options) else value


def _plain(value: Options) -> Options:
    return Options(**asdict(value))


def _schema(_source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    checked = core_schema.no_info_before_validator_function(_readable, handler(_Checked))
    return core_schema.no_info_after_validator_function(_plain, checked)


OptionsField: TypeAlias = Annotated[Options, GetPydanticSchema(_schema)]


def explain_options() -> dict[str, str]:
    """The description of each option, from its docstring; for the schema, because pydantic does not read these."""
    explained: dict[str, str] = {}
    for class_ in (Switches, Options):
        body = ast.parse(inspect.getsource(class_)).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in zip(body.body, body.body[1:], strict=False):
            is_text = isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and is_text:
                explained[field.target.id] = inspect.cleandoc(str(text.value.value))  # type: ignore[attr-defined]
    return explained
