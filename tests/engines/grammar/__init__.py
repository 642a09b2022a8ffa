"""Random statements for the experiment, drawn from a grammar of DuckDB's SQL."""
