"""Loaded by every Python process of the tests' Spark: one more statement that brings its process down.

No SQL is known that crashes the parser, and the day somebody's does is too late to find out what happens then.
"""

from __future__ import annotations

import ctypes

from connector.model import Model
from connector.pipeline import analysing
from connector.pipeline.context import AnalysisContext
from connector.pipeline.units import Unit

_analyse = analysing.analyse_texts


def _crash_or_analyse(unit: Unit, context: AnalysisContext) -> Model:
    if any("crash_here" in text.text for text in unit.texts):
        ctypes.string_at(0)
    return _analyse(unit, context)


analysing.analyse_texts = _crash_or_analyse
