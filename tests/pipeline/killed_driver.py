"""A run of a job as a program of its own, which says on stdout where it is. The tests kill it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pipeline_samples import make_job

from connector.pipeline.run import run_job
from connector.pipeline.run_report import STAGES


class _Telling:
    def begin(self, title: str, total: int | None = None) -> None:
        sys.stdout.writelines(f"{stage}\n" for stage, known in STAGES.items() if known == title)
        sys.stdout.flush()

    def advance(self, count: int) -> None:
        pass

    def end(self) -> None:
        pass


if __name__ == "__main__":
    job = make_job(Path(sys.argv[1]), options={"query_identity": "shape"}, spark={"master": "local[2]"})
    run_job(job, progress=_Telling(), wait=60.0)
    sys.stdout.write("done\n")
