"""Catalogs that lineage is written to, one package for each, and what they have in common.

The rest of the program knows :mod:`connector.catalogs.catalog`, the protocol, and :mod:`connector.catalogs.registry`, the
list of those who follow it. The packages need the libraries of their extras, so they are imported when they are asked for.
"""
