"""Query logs: rows become statements in the same way, with Spark and without."""
