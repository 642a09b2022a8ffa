"""Locates the replaceable data of the package: the typedefs and the mappings.

They stand at the top of a checkout, because a metadata team edits them there without looking at Python, and inside
the package in an installed wheel. Callers do not have to know which of the two it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from connector.errors import ConfigurationError

Resource = Literal["typedefs", "mappings"]

_PACKAGE = Path(__file__).resolve().parents[1]


def resource_folder(name: Resource) -> Path:
    """The folder with the shipped files of one kind."""
    places = (_PACKAGE / "_data" / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    looked = " and ".join(str(place) for place in places)
    raise ConfigurationError(f"The {name} of this installation are missing; searched {looked}.")
