"""Stored routines: their steps become entities, relations and processes through the readers of SQL."""
