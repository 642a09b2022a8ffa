"""Reading what a client has sent: JSON, checked with the generated models, refused in the server's words."""

from __future__ import annotations

import json
from typing import Any

import jsonpatch
import jsonpointer
from pydantic import BaseModel, ValidationError

from .answers import Refused

__all__ = ["apply_patch", "check", "read_json"]

_WRONG_FORM = "Invalid request format"


def read_json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError as error:
        raise Refused(400, f"Unable to process JSON: {error}", plain=True) from error


def check(model: type[BaseModel], document: Any) -> None:
    """Refuse what the model does not take: unknown properties, wrong types, missing parts."""
    try:
        model.model_validate(document)
    except ValidationError as error:
        missing = [problem for problem in error.errors() if problem["type"] == "missing"]
        if missing and len(missing) == error.error_count():
            path = ".".join(str(part) for part in missing[0]["loc"])
            raise Refused(400, f"[query param {path} must not be null]") from error
        raise Refused(400, _WRONG_FORM) from error


def apply_patch(document: dict[str, Any], body: bytes) -> dict[str, Any]:
    """The document after a JSON Patch. A path that is not there is refused."""
    operations = read_json(body)
    try:
        patched = jsonpatch.JsonPatch(operations).apply(document)
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException, TypeError) as error:
        raise Refused(400, str(error)) from error
    if not isinstance(patched, dict):
        raise Refused(400, _WRONG_FORM)
    return patched
