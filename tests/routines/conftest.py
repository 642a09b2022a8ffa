"""The goldens of routines are compared by the runner of all goldens."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "golden"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
