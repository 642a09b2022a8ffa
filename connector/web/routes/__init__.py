"""The paths of the server, one module for each group."""
