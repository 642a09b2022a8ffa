"""The presets, and the layout of a log: a preset, overridden by the settings of the source."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

from connector.errors import ConfigurationError
from connector.sources.layout import Columns, LogLayout, Pieces
from connector.sources.models import LogSource

_FOLDER = files(__package__) / "presets"
"""A resource and not a path: Spark's `--py-files` brings the package as an archive."""


class Preset(LogLayout):
    """A predefined layout."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    aliases: tuple[str, ...] = ()
    dialect: str
    query: str | None = None
    """The query for reading the log directly from the database."""


def preset_names() -> list[str]:
    """The names of all presets."""
    return sorted(_presets())


def load_preset(name: str) -> Preset:
    """The preset with this name; case, spaces and dashes are ignored."""
    key = re.sub(r"[\s.-]+", "_", name.strip().lower())
    for known, preset in _presets().items():
        if key == known or key in preset.aliases:
            return preset
    near = get_close_matches(key, preset_names(), n=1)
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(preset_names())}"
    raise ConfigurationError(f"unknown preset {name!r}; {hint}")


@cache
def _presets() -> dict[str, Preset]:
    found = sorted((file for file in _FOLDER.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    return {
        file.name.removesuffix(".yaml"): Preset.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
        for file in found
    }


def layout_of(source: LogSource) -> LogLayout:
    """The effective layout of a log: its settings, completed by its preset."""
    if source.preset is None:
        return LogLayout(**{name: getattr(source, name) for name in LogLayout.model_fields})
    preset = load_preset(source.preset)
    merged: dict[str, Any] = {}
    for name in LogLayout.model_fields:
        base, given = getattr(preset, name), getattr(source, name)
        if name not in source.model_fields_set:
            merged[name] = base
        elif isinstance(given, (Columns, Pieces)) and isinstance(base, BaseModel):
            merged[name] = base.model_copy(update={each: getattr(given, each) for each in given.model_fields_set})
        elif isinstance(given, dict):
            merged[name] = {**base, **given}
        else:
            merged[name] = given
    return LogLayout(**merged)
