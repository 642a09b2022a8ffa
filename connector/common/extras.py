"""Optional packages, and how to install those that are missing."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires

from connector.errors import ConfigurationError

_DISTRIBUTION = "lineage-connector"
_REQUIREMENT = re.compile(r"^(?P<package>[^;]+?)\s*;.*\bextra\s*==\s*['\"](?P<extra>[\w-]+)['\"]")


def install_command(*extras: str) -> str:
    """A command that installs what the extras hold, whether we were installed from a checkout or from a wheel.

    It names the packages themselves: pip knows an extra only together with the place that the distribution came from.
    """
    packages = _packages(extras)
    if not packages:
        return f"pip install '.[{','.join(extras)}]'"
    return "pip install " + " ".join(f"'{package}'" for package in packages)


def missing_package(error: ModuleNotFoundError, *extras: str) -> ConfigurationError:
    """The error for a missing package, with the command that installs it. A missing module of our own is a bug and is raised."""
    package = (error.name or "").partition(".")[0]
    if package == "connector":
        raise error
    return ConfigurationError(f"The package {package} is missing. Install it with: {install_command(*extras)}")


def _packages(extras: tuple[str, ...]) -> list[str]:
    try:
        listed = requires(_DISTRIBUTION) or []
    except PackageNotFoundError:
        return []
    found = [match for match in map(_REQUIREMENT.match, listed) if match and match["extra"] in extras]
    return sorted({match["package"].replace(" ", "") for match in found})
