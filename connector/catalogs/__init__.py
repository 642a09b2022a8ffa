"""Catalogs that lineage is written to, one package for each, and what they have in common.

These packages need the libraries of their extras (``pip install 'lineage-connector[atlas]'``), so nothing outside of them
imports them before they are asked for.
"""
