"""Makes ``hand_made``, the builder of models that lives with the tests of the model, importable by the tests here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "model"))
