"""The shipped data is found from a checkout; `make package` looks for it in a wheel."""

from __future__ import annotations

from typing import get_args

import pytest

from connector.common import resources
from connector.common.resources import Resource, resource_folder
from connector.errors import ConfigurationError


@pytest.mark.parametrize("name", get_args(Resource))
def test_a_checkout_has_every_folder(name):
    assert any(resource_folder(name).iterdir())


def test_the_packaged_folder_wins_over_a_neighbour(tmp_path, monkeypatch):
    package = tmp_path / "connector"
    packaged = package / "_data" / "typedefs"
    packaged.mkdir(parents=True)
    (tmp_path / "typedefs").mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    assert resource_folder("typedefs") == packaged


def test_a_missing_folder_is_a_clear_error(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "connector")
    with pytest.raises(ConfigurationError, match="mappings"):
        resource_folder("mappings")
