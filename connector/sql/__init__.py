"""Reading scripts: dialects, statements with exact positions, identity, and the tolerant second reading."""
