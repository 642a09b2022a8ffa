"""Query logs: rows become statements in the same way, whoever reads the rows."""
