"""Makes the runner of the goldens importable by the tests here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))
