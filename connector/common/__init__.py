"""Tools that know nothing of lineage: YAML with line numbers, file locks, progress, Arrow columns, hashes, lazy imports, extras."""
