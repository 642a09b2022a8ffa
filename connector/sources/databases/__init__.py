"""Live databases: their views and routines as statements, their columns as metadata."""
