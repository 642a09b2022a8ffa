"""Generates the quickstart: the scripts of a warehouse, the scripts of a shop's database, and a month of query log.

    python examples/quickstart/generate.py [FOLDER]

The folder (by default build/quickstart in the checkout) then contains lineage.yaml, sql/ and query_history.csv, and
`lineage-connector run -c FOLDER/lineage.yaml` runs the job. The same seed produces the same bytes.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from core import core_scripts
from history import write_history
from landing import landing_scripts
from marts import mart_scripts
from shop_app import shop_app_scripts
from staging import staging_scripts

HERE = Path(__file__).resolve().parent


def main() -> None:
    arguments = _arguments()
    folder: Path = arguments.folder
    warehouse = {**landing_scripts(), **staging_scripts(), **core_scripts(), **mart_scripts()}
    shutil.rmtree(folder / "sql", ignore_errors=True)
    _write(folder / "sql" / "warehouse", warehouse)
    _write(folder / "sql" / "shop_app", shop_app_scripts())
    write_history(folder / "query_history.csv", warehouse, arguments.rows, arguments.seed)
    if folder.resolve() != HERE:
        shutil.copyfile(HERE / "lineage.yaml", folder / "lineage.yaml")
    scripts = len(warehouse) + len(shop_app_scripts())
    print(f"{scripts} scripts and a query log of {arguments.rows:,} rows are in {folder}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Make the quickstart's warehouse and query log.")
    parser.add_argument("folder", nargs="?", type=Path, default=HERE.parents[1] / "build" / "quickstart")
    parser.add_argument("--rows", type=int, default=20_000, help="rows of the query log (default: 20000)")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def _write(folder: Path, scripts: dict[str, str]) -> None:
    for name, text in scripts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
