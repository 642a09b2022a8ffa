"""Stored routines: their steps become entities, relations and processes through the readers of SQL."""

from connector.analysis.routines.reader import RoutineReader

__all__ = ["RoutineReader"]
