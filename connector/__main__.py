"""`python -m connector` is the command `lineage-connector`."""

from __future__ import annotations

from connector.cli import main

if __name__ == "__main__":
    main()
