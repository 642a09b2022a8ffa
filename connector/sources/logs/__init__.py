"""Query logs: one way from a row to a statement, whoever reads the rows."""
